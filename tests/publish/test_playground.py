"""The playground computes what mllib computes, gives it back as Python, and works by mouse and keyboard."""

import os
import subprocess
import sys

import numpy as np
import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from mllib import (
    SVC,
    AdaBoostClassifier,
    AveragedPerceptron,
    HardMarginSVC,
    PegasosClassifier,
    Perceptron,
    RandomForestClassifier,
    VotedPerceptron,
)
from mllib.viz.playground import playground
from tests.playground import presets
from tests.publish import browser
from tests.publish.site import HTML

pytestmark = pytest.mark.browser
PAGE = HTML / "pages/playground.html"
LATTICE = np.array([[a, b] for b in np.arange(-117, 118, 6) for a in np.arange(-117, 118, 6)]) / 64
METHODS = {  # the name of the function on the page, its parameters, and the same in mllib
    "perceptron": ("perceptron", {}, Perceptron(shuffle=False)),
    "averaged": ("perceptron", dict(variant="averaged", passes=10), AveragedPerceptron(shuffle=False)),
    "voted": ("perceptron", dict(variant="voted", passes=10), VotedPerceptron(shuffle=False)),
    "hard margin": ("svm", dict(kernel="linear", C=None), HardMarginSVC(tol=1e-7)),
    "linear": ("svm", dict(kernel="linear", C=1), SVC(kernel="linear", tol=1e-7)),
    "polynomial": ("svm", dict(kernel="poly", C=0.1), SVC(kernel="poly", C=0.1, gamma=1, coef0=1, tol=1e-7)),
    "rbf": ("svm", dict(kernel="rbf", C=10, gamma=2), SVC(C=10, gamma=2, tol=1e-7)),
    "pegasos": (
        "pegasos",
        {"lambda": 0.01, "steps": 1000},
        PegasosClassifier(alpha=0.01, max_iter=1, epoch_length=1000, tol=None, random_state=0),
    ),
    "averaged pegasos": (
        "pegasos",
        {"lambda": 0.01, "steps": 1000, "average": True},
        PegasosClassifier(alpha=0.01, max_iter=1, epoch_length=1000, tol=None, average=True, random_state=0),
    ),
    "adaboost": ("adaboost", dict(T=30), AdaBoostClassifier(n_estimators=30)),
    "bagging": (
        "forest",
        dict(T=20, features=2),
        RandomForestClassifier(20, max_features=None, oob_score=True, random_state=0),
    ),
    "random forest": (
        "forest",
        dict(T=20, depth=4, features=1),
        RandomForestClassifier(20, max_features=1, max_depth=4, oob_score=True, random_state=0),
    ),
}
RUN = """
const [name, given, X, y] = arguments, parameters = {...given};
if (parameters.C === null) parameters.C = Infinity;
const found = playground[name](X, y, parameters);
return {
  scores: lattice.map((x) => found.score(x)), dual: found.dual ?? null, primal: found.primal ?? null,
  wrong: found.outOfBagErrors ?? null, judged: found.judged ?? null, bound: found.bound ?? null,
};
"""


def problem(seed):
    """Points as whole 64ths in one of four patterns, few or many, on which labels may be wrong."""
    rng = np.random.RandomState(seed)
    n = [6, 12, 40, 100, 200][seed % 5]
    if seed % 4 == 0:
        X = 0.5 * rng.standard_normal((n, 2))
        y = np.where(X @ [1, 0.6] > 0.1, 1, -1)
        X += 0.15 * y[:, None]
    elif seed % 4 == 1:
        y = np.where(rng.random_sample(n) < 0.5, 1, -1)
        X = 0.6 * rng.standard_normal((n, 2)) + 0.4 * y[:, None]
    else:
        X = rng.uniform(-1.5, 1.5, (n, 2))
        y = np.where((X**2).sum(axis=1) < 1 if seed % 4 == 2 else X.prod(axis=1) > 0, 1, -1)
    y[:2] = -1, 1
    return np.clip(np.rint(64 * X), -127, 127) / 64, y


@pytest.fixture
def page(driver):
    browser.view(driver, 1280)
    browser.open_page(driver, "about:blank")
    browser.open_page(driver, PAGE.as_uri())
    return driver


def reopen(driver, fragment):
    browser.open_page(driver, "about:blank")
    browser.open_page(driver, PAGE.as_uri() + fragment)


@pytest.mark.filterwarnings("ignore:Some inputs do not have OOB scores:UserWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", METHODS)
def test_sixty_sets_of_points_get_the_labels_that_mllib_gives(page, name):
    function, parameters, model = METHODS[name]
    compared = 0
    page.execute_script("window.lattice = arguments[0]", LATTICE.tolist())
    for seed in range(60):
        X, y = problem(seed)
        try:
            model.fit(X, y)
        except ValueError as error:  # no line separates the classes: the page must know it, too
            assert name == "hard margin" and "not separable" in str(error)
            shared = page.execute_script(
                "return playground.sharedPoint(...arguments)", (64 * X).tolist(), y.tolist()
            )
            for label, part in zip((-1, 1), shared["parts"], strict=True):
                rows, weights = np.array(part).T
                assert (y[rows.astype(int)] == label).all() and (weights > 0).all()
                np.testing.assert_allclose(weights @ (64 * X[rows.astype(int)]), shared["at"], atol=1e-9)
                assert weights.sum() == pytest.approx(1)
            continue
        found = page.execute_script(RUN, function, parameters, X.tolist(), y.tolist())
        if hasattr(model, "decision_function"):
            scores = model.decision_function(LATTICE)
        else:
            scores = 2 * model.predict_proba(LATTICE)[:, 1] - 1
        clear = np.abs(scores) > 1e-6
        ours = np.where(np.array(found["scores"]) > 0, 1, -1)
        np.testing.assert_array_equal(ours[clear], model.predict(LATTICE)[clear], err_msg=f"set {seed}")
        if found["dual"] is not None:
            best = float(np.ravel(model.dual_objective_)[0])
            assert found["dual"] == pytest.approx(best, rel=1e-6, abs=1e-6)
            assert found["primal"] >= found["dual"] * (1 - 1e-9)
        if found["judged"]:
            assert 1 - found["wrong"] / found["judged"] == pytest.approx(model.oob_score_)
        if name == "adaboost":
            assert found["bound"] == pytest.approx(model.history_.bound[-1])
        compared += 1
    assert compared == 60 or (name == "hard margin" and compared >= 8)


PICTURES = [
    ("perceptron", {}),
    ("perceptron", {"updates": 3}),
    ("perceptron", {"variant": "averaged", "passes": 5}),
    ("perceptron", {"variant": "voted", "passes": 5}),
    ("hard", {}),
    ("svm", {"kernel": "rbf", "C": 5, "gamma": 2}),
    ("svm", {"kernel": "poly", "C": 5, "degree": 2}),
    ("pegasos", {"lambda_": 0.05, "steps": 500, "average": "yes"}),
    ("adaboost", {"T": 15}),
    ("forest", {"T": 7, "features": "1", "depth": 3}),
]
WRITE = """
const [library, lattice] = arguments, state = playground.fromAddress(location.hash);
const X = state.points.map((p) => p.at.map((v) => v / 64)), y = state.points.map((p) => p.y);
const data = {whole: state.points.map((p) => p.at), X, y};
const found = playground.METHODS[state.method].fit(data, state.parameters, {});
return [playground.python(state, data, library, found), lattice.map((x) => found.score(x))];
"""


@pytest.mark.parametrize("library", ["mllib", "scikit-learn"])
def test_the_copied_python_draws_the_same_picture(page, library, tmp_path):
    # A large class structure that a line separates, so that each method has something to show.
    rng = np.random.RandomState(3)
    X = rng.uniform(-1.9, 1.9, (60, 2))
    X = X[np.abs(X @ [1, 0.5]) > 0.3]
    y = np.where(X @ [1, 0.5] > 0, 1, -1)
    written = []
    for method, parameters in PICTURES:
        reopen(page, playground(X, y, method, **parameters))
        code, scores = page.execute_script(WRITE, library, LATTICE.tolist())
        if code is None:
            assert library == "scikit-learn" and method not in ("svm", "hard")
            continue
        written.append((code, scores))
    assert len(written) == {"mllib": len(PICTURES), "scikit-learn": 4}[library]
    lattice = tmp_path / "lattice.npy"
    np.save(lattice, LATTICE)
    everything = "import numpy as np\n\n\ndef run(code, file):\n    space = {}\n    exec(code, space)\n"
    everything += f"    np.save(file, space['predict'](np.load({str(lattice)!r})))\n\n\n"
    for k, (code, _) in enumerate(written):
        everything += f"run({code!r}, {str(tmp_path / f'{k}.npy')!r})\n"
    told = subprocess.run(
        [sys.executable, "-c", everything],
        capture_output=True,
        text=True,
        env=os.environ | {"MPLBACKEND": "Agg"},
    )
    assert told.returncode == 0, told.stderr
    for k, (code, scores) in enumerate(written):
        clear = np.abs(scores) > 1e-6
        labels = np.load(tmp_path / f"{k}.npy")
        np.testing.assert_array_equal(
            labels[clear], np.where(np.array(scores) > 0, 1, -1)[clear], err_msg=code
        )


def sentence(driver):
    return driver.find_element(By.ID, "pg-certificate").text


def address(driver):
    """The address when the page has written it."""
    driver.execute_async_script("setTimeout(arguments[0], 350)")
    return driver.current_url


def points(driver):
    address(driver)
    return driver.execute_script("return playground.fromAddress(location.hash).points")


def test_the_address_holds_everything(page):
    X, y = problem(3)
    fragment = playground(X, y, "svm", kernel="poly", C=0.3, degree=2)
    reopen(page, fragment)
    state = page.execute_script("return playground.fromAddress(location.hash)")
    assert state["parameters"] == {"kernel": "poly", "C": 0.3, "gamma": 1, "degree": 2}
    assert [[v / 64 for v in p["at"]] for p in state["points"]] == X.tolist()
    assert [p["y"] for p in state["points"]] == y.tolist()
    told = sentence(page)
    assert told.startswith("Its objective is")
    # Whoever changes something has a new address, and the address alone gives the same picture.
    page.find_element(By.ID, "pg-C").send_keys(Keys.ARROW_RIGHT)
    assert sentence(page) != told
    told, written = sentence(page), address(page)
    browser.open_page(page, "about:blank")
    browser.open_page(page, written)
    assert sentence(page) == told


@pytest.mark.parametrize(
    "fragment", ["#method=none&points=p0000", "#method=svm&C=-3&points=zzzz", "#", "#method=adaboost&T=1e9"]
)
def test_an_address_that_means_nothing_does_no_harm(page, fragment):
    reopen(page, fragment)
    assert sentence(page)
    assert not browser.complaints(page, HTML.as_uri())


def test_examples_are_those_of_the_data_sets():
    assert presets.FILE.read_text() == presets.script(), "python -m tests.playground.presets"


def test_points_by_mouse(page):
    reopen(page, "#method=hard&points=p8080")
    canvas = page.find_element(By.CSS_SELECTOR, "#playground canvas")

    def press(text):
        page.find_element(By.XPATH, f"//button[text()='{text}']").click()
        page.execute_script("window.scrollTo(0, 0)")  # a drag ends where the window does

    press("Clear")
    assert sentence(page) == "Each class needs a point: add discs and squares."
    side = canvas.size["width"]
    ActionChains(page).move_to_element_with_offset(canvas, -side // 4, 0).click().perform()
    press("■ squares")
    ActionChains(page).move_to_element_with_offset(canvas, side // 4, 0).click().perform()
    assert [p["y"] for p in points(page)] == [1, -1]
    before = sentence(page)
    ActionChains(page).move_to_element_with_offset(canvas, side // 4, 0).click_and_hold().move_by_offset(
        -20, -side // 5
    ).release().perform()
    moved = points(page)[1]["at"]
    assert moved[1] > 40 and len(points(page)) == 2 and sentence(page) != before
    press("Change the class")
    assert [p["y"] for p in points(page)] == [1, 1]
    press("Undo")
    press("Delete the point")  # nothing is pressed after undoing: nothing happens
    assert [p["y"] for p in points(page)] == [1, -1]
    press("Undo")
    assert points(page)[1]["at"][1] == 0
    assert not browser.complaints(page, HTML.as_uri())


def test_points_by_finger(page):
    browser.view(page, 390)
    reopen(page, "#method=hard&points=p8080nc080")
    box = page.find_element(By.CSS_SELECTOR, "#playground canvas").rect
    left, top, side = box["x"], box["y"], box["width"]
    page.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def touch(*way):
        kinds = "touchStart", *["touchMove"] * (len(way) - 1), "touchEnd"
        for kind, at in zip(kinds, (*way, None), strict=True):
            where = [] if at is None else [{"x": left + at[0] * side, "y": top + at[1] * side}]
            page.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})

    touch((0.5, 0.5), (0.5, 0.4), (0.5, 0.3))  # begins on the disc: it is dragged, and the page stays
    assert page.execute_script("return scrollY") == 0
    moved = points(page)[0]["at"]
    assert moved[1] > 30 and len(points(page)) == 2
    touch((0.25, 0.25))  # a tap where nothing is
    page.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    assert len(points(page)) == 3 and points(page)[2]["y"] == 1


def press_example(page, method, example):
    page.execute_script(
        "for (const [id, v] of [['pg-method', arguments[0]], ['pg-preset', arguments[1]]]) {"
        "const e = document.getElementById(id); e.value = v; e.dispatchEvent(new Event('change')); }",
        method,
        example,
    )


def test_a_key_is_about_the_point_that_was_pressed(page):
    reopen(page, "#method=hard&points=p8080nc080p8484")
    canvas = page.find_element(By.CSS_SELECTOR, "#playground canvas")
    ActionChains(page).move_to_element_with_offset(canvas, canvas.size["width"] // 4, 0).click().perform()
    canvas.send_keys(Keys.DELETE)
    assert [p["y"] for p in points(page)] == [1, 1], "the square was pressed"
    canvas.send_keys(Keys.CONTROL + "z" + Keys.NULL)
    assert [p["y"] for p in points(page)] == [1, -1, 1]


def test_undo_takes_back_parameters_and_methods(page):
    slider = page.find_element(By.ID, "pg-C")
    slider.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert "C=5" in address(page)
    page.find_element(By.XPATH, "//button[text()='Undo']").click()
    assert "C=1&" in address(page), "two presses of one slider are one change"
    press_example(page, "adaboost", "rings")
    for _ in range(2):
        page.find_element(By.XPATH, "//button[text()='Undo']").click()
    assert "method=svm" in address(page)


def test_an_example_that_a_line_separates_and_the_same_example_again(page):
    press_example(page, "hard", "apart")
    assert sentence(page).startswith("The band is ")
    press_example(page, "perceptron", "apart")
    assert "The theorem allows at most" in sentence(page) and "no mistake was left" in sentence(page)
    page.find_element(By.XPATH, "//button[text()='Clear']").click()
    press_example(page, "perceptron", "apart")
    assert len(points(page)) == 40


def test_a_gap_that_is_open_is_said_to_be_open(page):
    X, y = problem(9)
    reopen(page, playground(X, y, "svm", kernel="poly", degree=6, C=1000))
    said = page.execute_script(
        "const s = playground.fromAddress(location.hash), X = s.points.map((p) => p.at.map((v) => v / 64));"
        "const data = {whole: s.points.map((p) => p.at), X, y: s.points.map((p) => p.y)};"
        "const found = playground.METHODS.svm.fit(data, s.parameters, {mostSteps: 300});"
        "return [playground.METHODS.svm.certify(data, found, s.parameters).text, found.primal, found.dual];"
    )
    text, primal, dual = said
    assert primal > 2 * dual > 0, "so few steps leave the gap open"
    assert f"may still be {float(f'{primal / dual:.3g}'):g} times the best" in text


def test_points_by_keyboard_alone(page):
    canvas = page.find_element(By.CSS_SELECTOR, "#playground canvas")
    page.find_element(By.XPATH, "//button[text()='Clear']").send_keys(Keys.ENTER)
    canvas.send_keys(Keys.ARROW_LEFT * 4, Keys.ENTER)
    said = page.find_element(By.CSS_SELECTOR, "#playground .pg-note")
    assert said.get_attribute("textContent") == "A disc at -0.50, 0.00. 1 point."
    canvas.send_keys(Keys.ARROW_RIGHT * 8, Keys.ENTER, "c")
    assert [(p["at"], p["y"]) for p in points(page)] == [([-32, 0], 1), ([32, 0], -1)]
    canvas.send_keys(" ", Keys.ARROW_UP * 2, Keys.SHIFT + Keys.ARROW_UP + Keys.NULL, " ")
    assert points(page)[1]["at"] == [32, 17]
    canvas.send_keys(Keys.DELETE)
    assert len(points(page)) == 1
    canvas.send_keys("u")
    assert len(points(page)) == 2


def test_every_method_says_why_to_believe_it(page):
    expected = {
        "perceptron": "The theorem allows|No line separates",
        "hard": "no band between the classes can be wider|No line separates",
        "svm": "No boundary of this kind has less",
        "pegasos": "No line comes below",
        "adaboost": "the product of all Z",
        "forest": "Out of bag",
    }
    method = page.find_element(By.ID, "pg-method")
    examples = page.find_element(By.ID, "pg-preset")
    for example in presets.PRESETS:
        for name, words in expected.items():
            page.execute_script(
                "for (const [e, v] of [[arguments[0], arguments[1]], [arguments[2], arguments[3]]]) "
                "{ e.value = v; e.dispatchEvent(new Event('change')); }",
                examples,
                example,
                method,
                name,
            )
            assert any(word in sentence(page) for word in words.split("|")), (example, name, sentence(page))
    assert not browser.complaints(page, HTML.as_uri())


def test_a_typed_value_is_taken_or_refused(page):
    field = page.find_element(By.CSS_SELECTOR, "[aria-label='C, typed']")
    field.send_keys(Keys.CONTROL + "a" + Keys.NULL, "0.37", Keys.TAB)
    assert "C=0.37" in address(page)
    field.send_keys(Keys.CONTROL + "a" + Keys.NULL, "-1", Keys.TAB)
    assert field.get_attribute("value") == "0.37"


def test_without_javascript_there_is_a_picture_and_a_sentence():
    text = PAGE.read_text()
    start = text.index('id="playground"')
    assert "still.png" in text[start:] and "no boundary of" in text[start:]
    assert (HTML / "_static/playground/still.png").stat().st_size < 200_000


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_fits_and_axe_finds_nothing(page, width, theme):
    browser.view(page, width, theme=theme)
    browser.open_page(page, "about:blank")
    browser.open_page(page, PAGE.as_uri())
    assert browser.axe(page) == []
    assert browser.overflow(page)[0] <= 0


@pytest.mark.parametrize("method", ["perceptron", "hard", "svm", "pegasos", "adaboost", "forest"])
def test_a_drag_learns_anew_and_the_release_learns_in_full(page, method):
    X, y = problem(4)
    reopen(page, playground(X, y, method))
    canvas = page.find_element(By.CSS_SELECTOR, "#playground canvas")
    side, at = canvas.size["width"], X[0]
    start = int(at[0] * side / 4), int(-at[1] * side / 4)
    drag = ActionChains(page).move_to_element_with_offset(canvas, *start).click_and_hold()
    drag.move_by_offset(30, 40).move_by_offset(10, 10).release().perform()
    assert points(page)[0]["at"] != (64 * at).tolist() and len(points(page)) == len(X)
    told = sentence(page)
    reopen(page, "#" + address(page).partition("#")[2])
    assert sentence(page) == told, "what is said after a drag is what the address says"
