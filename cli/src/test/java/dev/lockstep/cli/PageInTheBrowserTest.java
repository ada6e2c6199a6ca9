// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.testkit.DrivenBrowser;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people do on the pages of a run, in a real browser: follow findings, zoom, select, search, come back. */
class PageInTheBrowserTest {
    private static final String CANVAS = "document.querySelector('#dock canvas')";

    @TempDir
    static Path folder;

    private static DrivenBrowser browser;
    private static Path out;

    @BeforeAll
    static void reports() throws Exception {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(2).withSteps(4).withStraggler(1, 1.3);
        Path run = Files.createDirectory(folder.resolve("run"));
        for (int rank = 0; rank < 2; rank++) {
            Files.write(run.resolve("rank" + rank + ".json"), SyntheticRun.bytes(recipe, rank));
        }
        out = folder.resolve("out");
        lockstep("report", run, "-o", out);
        lockstep("diff", run.resolve("rank0.json"), run.resolve("rank1.json"), "--html", out.resolve("diff.html"));
        browser = new DrivenBrowser();
    }

    @AfterAll
    static void close() throws IOException {
        if (browser != null) {
            browser.close();
        }
    }

    private static void lockstep(Object... line) {
        StringWriter err = new StringWriter();
        assertThat(TestProgram.run(new StringWriter(), err, line))
                .as(err::toString)
                .isZero();
    }

    @BeforeEach
    void window() throws InterruptedException {
        browser.resize(1366, 768);
    }

    private void open(String page) throws InterruptedException {
        browser.open(out.resolve(page).toUri().toString());
        assertThat(browser.evaluate("document.documentElement.dataset.error || ''"))
                .isEmpty();
    }

    private String view() throws InterruptedException {
        return browser.evaluate(CANVAS + ".dataset.view");
    }

    private long length() throws InterruptedException {
        String[] ends = view().split("-");
        return Long.parseLong(ends[1]) - Long.parseLong(ends[0]);
    }

    @Test
    void answerBarAndTheFirstFindingAreInSightAtOnce() throws Exception {
        open("rank0/report.html");
        String bottoms = browser.evaluate(
                "[...document.querySelectorAll('h1, .answer, .bars, .findings > li:first-child')].slice(0, 4)"
                        + ".map((one) => Math.round(one.getBoundingClientRect().bottom)).join(' ')");
        long dock = Long.parseLong(
                browser.evaluate("Math.round(document.getElementById('dock').getBoundingClientRect().top)"));
        for (String bottom : bottoms.split(" ")) {
            assertThat(Long.parseLong(bottom)).isLessThanOrEqualTo(dock);
        }
    }

    @Test
    void everyFindingsLinkLeadsSomewhere() throws Exception {
        for (String page : List.of("report.html", "rank0/report.html", "rank1/report.html")) {
            open(page);
            assertThat(
                            browser.evaluate(
                                    "[...document.querySelectorAll('.findings a[href^=\"#table/\"]')].filter((a) =>"
                                            + " !document.querySelector(`[data-place=\"${decodeURIComponent(a.getAttribute('href').slice(1).split('&')[0])}\"]`)).length"))
                    .isEqualTo("0");
            String targets =
                    browser.evaluate("[...new Set([...document.querySelectorAll('a.lead, .around a')].map((a) =>"
                            + " a.getAttribute('href')).filter((h) => !h.startsWith('#')).map((h) =>"
                            + " h.split('#')[0]))].join(' ')");
            for (String target : targets.isEmpty() ? new String[0] : targets.split(" ")) {
                assertThat(out.resolve(page).resolveSibling(target).normalize()).isRegularFile();
            }
        }
    }

    @Test
    void seeZoomsToThePlaceAndBackReturns() throws Exception {
        open("rank0/report.html");
        String before = view();
        browser.click(".findings a.lead[href^=\"#timeline\"]");
        String[] asked = browser.evaluate("location.hash")
                .replaceAll(".*t=(\\d+-\\d+).*", "$1")
                .split("-");
        assertThat(length()).isEqualTo(Long.parseLong(asked[1]) - Long.parseLong(asked[0]));
        assertThat(length()).isLessThan(Long.parseLong(before.split("-")[1]));
        String shown = view();
        browser.press("n");
        assertThat(browser.evaluate("document.querySelector('#dock .found').textContent"))
                .startsWith("place ");
        browser.open(out.resolve("rank0/report.html").toUri() + "#timeline&t=" + shown);
        assertThat(view()).as("a copied address shows the same").isEqualTo(shown);
    }

    @Test
    void keysZoomMoveAndReturn() throws Exception {
        open("rank0/report.html");
        browser.evaluate(CANVAS + ".focus()");
        long whole = length();
        browser.press("w", "w");
        long zoomed = length();
        assertThat(zoomed).isCloseTo(Math.round(whole * 0.49), org.assertj.core.data.Offset.offset(3L));
        String view = view();
        browser.press("d");
        assertThat(view()).isNotEqualTo(view);
        browser.press("a");
        assertThat(length()).isEqualTo(zoomed);
        browser.press("0");
        assertThat(length()).isEqualTo(whole);
        browser.evaluate("document.querySelector('#dock input').focus()");
        browser.press("w");
        assertThat(length()).as("not while a text field has the focus").isEqualTo(whole);
    }

    @Test
    void selectingEverythingGivesTheSheetsParts() throws Exception {
        open("rank0/report.html");
        browser.evaluate(CANVAS + ".focus()");
        browser.evaluate(
                CANVAS + ".dispatchEvent(new KeyboardEvent('keydown', {key: 'a', ctrlKey: true, bubbles: true}))");
        String parts = browser.evaluate("[...document.querySelectorAll('.panel .parts tr')].map((tr) =>"
                + " `${tr.cells[0].textContent}=${tr.title}`).join(';')");
        for (String line : Files.readAllLines(out.resolve("csv/rank0/gpu_timeline.csv"))) {
            String[] cells = line.split(",");
            if (cells[0].equals("computation_time") || cells[0].equals("idle_time")) {
                long ns = Math.round(Double.parseDouble(cells[1]) * 1e6);
                String part = cells[0].equals("idle_time") ? "idle" : "compute";
                assertThat(parts).contains(part + "=" + String.format(Locale.ROOT, "%,d ns", ns));
            }
        }
    }

    @Test
    void browsersThatCannotUnpackShowTheSame() throws Exception {
        List<String> seen = new ArrayList<>();
        for (String first : List.of("", "delete window.DecompressionStream")) {
            String name = browser.runFirst(first);
            open("rank0/report.html");
            browser.runNoMore(name);
            assertThat(browser.evaluate("typeof DecompressionStream"))
                    .isEqualTo(first.isEmpty() ? "function" : "undefined");
            browser.evaluate(CANVAS + ".focus()");
            browser.evaluate(
                    CANVAS + ".dispatchEvent(new KeyboardEvent('keydown', {key: 'a', ctrlKey: true, bubbles: true}))");
            seen.add(browser.evaluate("document.querySelector('main').textContent")
                    + browser.evaluate("document.querySelector('.panel').textContent"));
        }
        assertThat(seen.get(1)).hasSizeGreaterThan(1_000).isEqualTo(seen.get(0));
    }

    @Test
    void searchSaysHowManyAndHowLongAsTheTableDoes() throws Exception {
        open("rank0/report.html");
        List<String> lines = Files.readAllLines(out.resolve("csv/rank0/kernel_summary.csv"));
        assertThat(lines).hasSizeGreaterThan(1);
        String name = browser.evaluate("(() => { const s = carried.sections.find((x) =>"
                + " x.name === 'kernel_summary'); const c = s.columns.find((x) => x.header === 'Kernel name');"
                + " return c.texts[c.cells[0]]; })()");
        String expected = browser.evaluate("(() => { const s = carried.sections.find((x) =>"
                + " x.name === 'kernel_summary'); const c = s.columns.find((x) => x.header === 'Kernel name');"
                + " const n = s.columns.find((x) => x.role === 'count'); return c.cells.reduce((sum, cell, i) =>"
                + " sum + (cell === c.cells[0] ? n.cells[i] : 0), 0); })()");
        browser.evaluate("(() => { const box = document.querySelector('#dock input'); box.value = '\"" + name
                + "\"'; box.dispatchEvent(new Event('input')); })()");
        assertThat(browser.evaluate("document.querySelector('#dock .found').textContent"))
                .startsWith(String.format(Locale.ROOT, "%,d · ", Long.parseLong(expected)));
    }

    @Test
    void aKernelLeadsToItsLaunch() throws Exception {
        browser.open(out.resolve("rank0/report.html").toUri() + "#timeline&e=longest&q=cat%3Acompute");
        browser.evaluate(CANVAS + ".focus()");
        String kernel = browser.evaluate("document.querySelector('.panel .name').textContent");
        assertThat(browser.evaluate(CANVAS + ".dataset.arrows")).isEqualTo("1");
        browser.press("[");
        assertThat(browser.evaluate("document.querySelector('.panel .name').textContent"))
                .isNotEqualTo(kernel)
                .containsIgnoringCase("launch");
        browser.press("]");
        assertThat(browser.evaluate("document.querySelector('.panel .name').textContent"))
                .isEqualTo(kernel);
    }

    @Test
    void nothingIsWiderThanATelephone() throws Exception {
        browser.resize(390, 800);
        for (String page : List.of("report.html", "rank1/report.html")) {
            open(page);
            assertThat(browser.evaluate("document.documentElement.scrollWidth <= innerWidth && innerWidth === 390"))
                    .as(page)
                    .isEqualTo("true");
        }
    }

    @Test
    void aCellOfTheHeatMapIsReachedByKeysAndLeadsToTheStep() throws Exception {
        open("report.html");
        browser.evaluate("document.querySelector('svg .leads-on[tabindex=\"0\"]').focus()");
        browser.press("ArrowRight", "ArrowRight");
        assertThat(browser.evaluate("document.activeElement.classList.contains('leads-on')"))
                .isEqualTo("true");
        browser.evaluate(
                "setTimeout(() => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'})),"
                        + " 0)");
        Thread.sleep(500);
        browser.await();
        assertThat(browser.evaluate("location.href")).contains("/rank0/report.html#timeline");
        assertThat(length()).isPositive();
        assertThat(browser.evaluate("document.querySelector('.around a').getAttribute('href')"))
                .isEqualTo("./../report.html#rank/0");
    }

    @Test
    void filterOrderAndColumnsSurviveInTheAddress() throws Exception {
        browser.open(out.resolve("rank0/report.html").toUri()
                + "#table/kernel_summary&w=Kernel%20stream!99&s=Kernel%20name&cols=Kernel%20name,Kernel%20stream");
        String heads = "[...document.querySelectorAll('[data-place=\"table/kernel_summary\"] thead th')]";
        assertThat(browser.evaluate(heads + ".filter((th) => th.querySelector('button')).length"))
                .isEqualTo("2");
        assertThat(browser.evaluate(heads + ".filter((th) => th.getAttribute('aria-sort') === 'ascending').length"))
                .isEqualTo("1");
        assertThat(browser.evaluate(
                        "document.querySelector('[data-place=\"table/kernel_summary\"] .chip').textContent"))
                .contains("Kernel stream is not 99");
        assertThat(browser.evaluate("location.hash")).contains("w=Kernel%20stream");
    }

    /** Every table behind a finding holds what the finding counts, and no more. */
    @Test
    void rowsShowsTheRowsOfTheFindingAndTheirTime() throws Exception {
        int seen = 0;
        for (String page : List.of("report.html", "rank0/report.html", "rank1/report.html")) {
            open(page);
            int links = Integer.parseInt(browser.evaluate(ROW_LINKS + ".length"));
            for (int i = 0; i < links; i++, seen++) {
                browser.evaluate(ROW_LINKS + "[" + i + "].click()");
                browser.settle();
                assertThat(browser.evaluate(ROWS_AND_SUM)).as(page).isEqualTo("as said");
            }
        }
        assertThat(seen).isGreaterThan(10);
    }

    private static final String ROW_LINKS = "[...document.querySelectorAll('.findings a.lead[href^=\"#table/\"]')]";

    /** What the table in the address shows, against the data that the page carries. */
    private static final String ROWS_AND_SUM = """
        (() => {
          const [place, ...keys] = location.hash.slice(1).split('&');
          const lines = decodeURIComponent(keys.find((one) => one.startsWith('r=')).slice(2)).split(',').map((one) => one - 1);
          const body = document.querySelector(`[data-place="${place}"]`);
          const data = carried.sections.find((one) => `table/${one.name}` === place);
          const said = body.querySelector('[aria-live]').textContent;
          const rows = Number(said.split(' of ')[0].replace(/,/g, ''));
          if (rows !== lines.length) return `${place}: ${said}, not ${lines.length}`;
          if (rows <= 100 && body.querySelectorAll('tbody tr.marked').length !== rows) return `${place}: not marked`;
          const sum = /· ([-\\d.,e]+) \\S+ (.*)$/.exec(said);
          if (!sum) return data.columns.some((one) => /^(s|ms|µs|ns)$/.test(one.unit)) ? `${place}: no sum in ${said}` : 'as said';
          const column = data.columns.find((one) => one.label.toLowerCase() === sum[2]);
          const expected = lines.reduce((total, line) => total + (Number(column.cells[line]) || 0), 0);
          const shown = Number(sum[1].replace(/,/g, ''));
          return Math.abs(shown - expected) <= 1e-3 * Math.abs(expected) ? 'as said' : `${place}: ${shown}, not ${expected}`;
        })()\
        """;

    @Test
    void nVisitsAllPlacesInOrderAndReturnsToTheFirst() throws Exception {
        browser.open(out.resolve("rank0/report.html").toUri().toString());
        String several = browser.evaluate("""
            (() => {
              const all = carried.sections.filter((one) => one.kind === 'findings')
                .flatMap((one) => one.findings).map((one) => [one.code, one.evidence.find((e) => e.kind === 'places')])
                .filter(([, places]) => places && places.places.length > 1 && places.places.length < 60);
              const [code, places] = all[0];
              const origin = BigInt(carried.sections.find((one) => one.kind === 'timeline').origin);
              return [code, places.count, ...places.places.map((one) => `${BigInt(one.from) - origin}+${one.length}`)].join(' ');
            })()\
            """);
        String[] parts = several.split(" ");
        int places = parts.length - 2;
        browser.click(".findings a.lead[href*=\"mark=" + parts[0] + "\"]");
        for (int i = 0; i <= places; i++) {
            int at = i % places;
            String where = browser.evaluate("document.querySelector('#dock .found').textContent");
            assertThat(where)
                    .startsWith("place " + (at + 1) + " of " + places + (parts[1].equals("" + places) ? ":" : ""));
            String[] place = parts[at + 2].split("\\+");
            long from = Long.parseLong(place[0]);
            long to = from + Long.parseLong(place[1]);
            String[] view = view().split("-");
            assertThat(Long.parseLong(view[0])).isLessThanOrEqualTo(from);
            assertThat(Long.parseLong(view[1])).isGreaterThanOrEqualTo(to);
            assertThat(to - from > 200 ? length() : 0)
                    .as("no wider than the place by a tenth")
                    .isLessThanOrEqualTo((to - from) * 11 / 10 + 20);
            browser.press("n");
        }
        browser.press("p", "p");
        assertThat(browser.evaluate("document.querySelector('#dock .found').textContent"))
                .startsWith("place " + places + " of");
    }

    @Test
    void theWayBackRestoresSpanFilterAndScroll() throws Exception {
        browser.open(out.resolve("rank0/report.html").toUri() + "#table/kernel_summary&w=Kernel%20stream!99");
        browser.evaluate(CANVAS + ".focus({preventScroll: true})");
        browser.press("w", "w");
        browser.evaluate("scrollBy(0, 40)");
        String chips = "document.querySelector('[data-place=\"table/kernel_summary\"] .chips').textContent";
        String inSight =
                "[...document.querySelectorAll('main > *')].findIndex((one) => one.getBoundingClientRect().bottom > 0)";
        String top = "[...document.querySelectorAll('main > *')].map((one) => one.getBoundingClientRect())"
                + ".find((box) => box.bottom > 0).top";
        String before = view() + browser.evaluate(chips) + browser.evaluate(inSight);
        double topBefore = Double.parseDouble(browser.evaluate(top));
        String state = browser.evaluate("new Promise((done) => setTimeout(() => done(location.hash), 300))");
        browser.press("w");
        browser.press("s");
        browser.evaluate(ROW_LINKS + "[0].click()");
        browser.settle();
        assertThat(browser.evaluate("location.hash")).isNotEqualTo(state);
        browser.evaluate("document.querySelector('.findings a.lead[href^=\"#timeline\"]').click()");
        browser.settle();
        browser.back();
        browser.back();
        assertThat(view() + browser.evaluate(chips) + browser.evaluate(inSight)).isEqualTo(before);
        assertThat(Double.parseDouble(browser.evaluate(top))).isCloseTo(topBefore, within(2.0));
    }

    @Test
    void aPageShowsItselfWhateverItsAddressSays() throws Exception {
        String digits = "9".repeat(400);
        for (String place : List.of(
                "%",
                "%E0%A4%A",
                "table/%zz&w=%",
                "table/kernel_summary&r=0.5,NaN,1e9,-3&cols=,,&s=-",
                "table/kernel_summary&w=%3B%3B\\\\%3B",
                "timeline&t=" + digits + "-" + digits + "&sel=5-1&m=1-" + digits,
                "timeline&e=9.9.9&q=%22&q=cat%3A",
                "timeline-1:" + digits + "-1")) {
            browser.open(out.resolve("rank0/report.html").toUri() + "#" + place);
            assertThat(browser.evaluate("document.documentElement.dataset.error || ''"))
                    .as(place)
                    .isEmpty();
            assertThat(browser.troubles()).as(place).isEmpty();
            assertThat(length()).as(place).isPositive();
        }
    }

    @Test
    void namesWithMarksOfAddressesAndSearchesLeadToTheirRowsAndSlices() throws Exception {
        String name = "a;b \"c\" \\\\;d&e=f#g%25";
        String trace = new String(SyntheticRun.bytes(SyntheticTraces.smallRecipe(1), 0), StandardCharsets.UTF_8);
        String kernel = "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
        assertThat(trace).contains(kernel);
        Path file = Files.writeString(
                folder.resolve("marks.json"),
                trace.replace(kernel, name.replace("\\", "\\\\").replace("\"", "\\\"")));
        Path page = folder.resolve("marks.html");
        lockstep("report", file, "--html", page);
        String asText = "'" + name.replace("\\", "\\\\") + "'";
        browser.open(page.toUri().toString());
        browser.evaluate("location.hash = '#timeline&e=longest&q=' + encodeURIComponent('\"' + " + asText
                + ".replace(/\"/g, '\"\"') + '\"')");
        browser.settle();
        assertThat(browser.evaluate("document.querySelector('.panel .name').textContent === " + asText))
                .isEqualTo("true");
        browser.evaluate("[...document.querySelectorAll('.panel a')].find((a) => a.textContent ==="
                + " 'kernel_summary').click()");
        browser.settle();
        assertThat(browser.evaluate("[...document.querySelectorAll('[data-place=\"table/kernel_summary\"] tbody tr')]"
                        + ".map((tr) => tr.textContent.includes(" + asText + ")).join()"))
                .isEqualTo("true");
    }

    @Test
    void zoomingInEndsAtTheSingleKernelWithItsArguments() throws Exception {
        for (String[] kind : new String[][] {{"compute", "grid"}, {"memory", "bytes"}, {"operator", "shapes"}}) {
            browser.open(out.resolve("rank0/report.html").toUri() + "#timeline&e=longest&q=cat%3A" + kind[0]);
            browser.evaluate(CANVAS + ".focus()");
            for (int i = 0; i < 12; i++) {
                browser.press("w");
            }
            String name = browser.evaluate("document.querySelector('.panel .name').textContent");
            String tip = browser.evaluate("""
                (() => {
                  const canvas = document.querySelector('#dock canvas');
                  const box = canvas.getBoundingClientRect();
                  const name = document.querySelector('.panel .name').textContent;
                  for (let y = box.top + 30; y < box.bottom; y += 9) {
                    canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: (box.left + 230 + box.right) / 2, clientY: y }));
                    const tip = document.getElementById('tip');
                    if (!tip.hidden && tip.textContent.startsWith(name) && !tip.textContent.includes('critical path')) return tip.textContent;
                  }
                  return 'nothing';
                })()\
                """);
            assertThat(tip).as(kind[0]).startsWith(name).contains("duration ", "start ", kind[1]);
            if (!kind[0].equals("operator")) {
                assertThat(tip).contains("stream ");
            }
        }
    }

    @Test
    void keysChooseSelectAndMeasure() throws Exception {
        browser.open(out.resolve("rank0/report.html").toUri() + "#timeline&e=longest&q=cat%3Acompute");
        browser.evaluate(CANVAS + ".focus()");
        String event =
                "new Promise((done) => setTimeout(() => done(new URLSearchParams(location.hash).get('e')), 300))";
        String[] chosen = browser.evaluate(event).split("\\.");
        browser.press(".");
        assertThat(browser.evaluate(event)).isEqualTo(chosen[0] + "." + (Integer.parseInt(chosen[1]) + 1));
        browser.press(",", ",");
        assertThat(browser.evaluate(event)).isEqualTo(chosen[0] + "." + (Integer.parseInt(chosen[1]) - 1));
        browser.press("f", "f");
        long fitted = length();
        browser.press("m", "r");
        assertThat(browser.evaluate("new Promise((done) => setTimeout(() => done(location.hash), 300))"))
                .matches(".*&sel=(\\d+-\\d+)&m=\\1.*");
        browser.press("0");
        assertThat(length()).isGreaterThan(fitted);
        browser.press("/");
        assertThat(browser.evaluate("document.activeElement.type")).isEqualTo("search");
        String before = browser.evaluate("new Promise((done) => setTimeout(() => done(location.hash), 300))");
        browser.press("w", "s", "a", "d", "f", "m", "r", ",", ".", "[", "]", "n", "p", "0", "/");
        assertThat(browser.evaluate("new Promise((done) => setTimeout(() => done(location.hash), 300))"))
                .as("a text field has the focus")
                .isEqualTo(before);
    }

    /** The second recording is moved so that the place it has of a finding begins where the first one's does. */
    @Test
    void aFindingOfADifferenceLeadsToItsPlaceInBothRecordings() throws Exception {
        open("diff.html");
        assertThat(browser.evaluate(
                        "[...document.querySelectorAll('.findings li')].filter((li) => li.querySelector('.problem')"
                                + " && !li.querySelector('a[href^=\"#timeline\"]')).length"))
                .isEqualTo("0");
        browser.click(".findings a.lead[href*=\"mark=diff_matched_ops\"]");
        String address = browser.evaluate("location.hash");
        assertThat(address).contains("&b=").contains("&mark=diff_matched_ops/");
        assertThat(browser.evaluate("document.querySelector('#dock .found').textContent"))
                .startsWith("place 1 of ")
                .contains(": A ")
                .contains(", B ");
        String[] lengths = browser.evaluate("""
            (() => {
              const row = /diff_matched_ops\\/(\\d+)/.exec(location.hash)[1] - 1;
              const [pair] = carried.sections.find((one) => one.name === 'diff_matched_ops').places[row].places;
              return `${pair.length} ${pair.partner.length} ${BigInt(pair.from) - BigInt(known(0))} ${BigInt(pair.partner.from) - BigInt(known(1))}`;
              function known(side) { return carried.sections.find((one) => one.kind === 'timeline').sides[side].origin; }
            })()\
            """).split(" ");
        long one = Long.parseLong(lengths[0]);
        long two = Long.parseLong(lengths[1]);
        assertThat(two).as("the candidate's rank is late").isGreaterThan(one);
        assertThat(address).contains("&b=" + (Long.parseLong(lengths[2]) - Long.parseLong(lengths[3])));
        assertThat(length()).isBetween(two, two * 11 / 10 + 20);
        browser.press("n");
        assertThat(browser.evaluate("document.querySelector('#dock .found').textContent"))
                .startsWith("place 2 of ");
        browser.open(out.resolve("diff.html").toUri() + address);
        String[] parts = address.replaceAll(".*t=(\\d+-\\d+).*", "$1").split("-");
        assertThat(view()).isEqualTo(parts[0] + "-" + parts[1]);
    }

    @Test
    void selectingAllOfADifferenceGivesItsSheet() throws Exception {
        open("diff.html");
        browser.evaluate(CANVAS + ".focus()");
        browser.evaluate(
                CANVAS + ".dispatchEvent(new KeyboardEvent('keydown', {key: 'a', ctrlKey: true, bubbles: true}))");
        assertThat(browser.evaluate("""
            (() => {
              const sheet = carried.sections.find((one) => one.name === 'diff_kernels');
              const of = (header) => sheet.columns.find((one) => one.header === header);
              const rows = [...document.querySelectorAll('.panel .sums:not(.parts) tbody tr')];
              const said = (us) => `${Math.round(us * 1e3).toLocaleString('en-US')} ns`;
              return of('name').cells.filter((name, row) => {
                const text = of('name').texts[name];
                const expected = `device · ${said(of('baseline us').cells[row])} · ${said(of('candidate us').cells[row])}`;
                return !rows.some((tr) => tr.cells[0].querySelector('button').title === `Search for ${text}` && tr.title === expected);
              }).map((name) => of('name').texts[name]).join(' ');
            })()\
            """)).isEmpty();
        assertThat(browser.evaluate(
                        "[...document.querySelectorAll('.panel button')].map((one) => one.textContent).join()"))
                .contains("Open A in Perfetto,Open B in Perfetto");
    }

    /** What a shell takes a copied command for, a word in each line. */
    private static List<String> words(String command) throws Exception {
        Process shell = new ProcessBuilder("sh", "-c", "lockstep() { printf '%s\\n' \"$@\"; }; " + command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        return new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    @Test
    void copiedCommandsNameTheFileWhateverItIsCalled() throws Exception {
        byte[] trace = SyntheticRun.bytes(SyntheticTraces.smallRecipe(1), 0);
        for (String name : List.of("it's $(touch x); `touch y` é.json", "-o rank.json", "bell\u0007.json")) {
            Path file = Files.write(folder.resolve(name), trace);
            Path page = folder.resolve("named.html");
            lockstep("report", file, "--html", page);
            browser.open(page.toUri() + "#timeline&e=longest&q=cat%3Acompute");
            String title = browser.evaluate(
                    "[...document.querySelectorAll('.panel button')].filter((one) => one.title.includes('lockstep'))"
                            + ".map((one) => one.title.split('\\n')[1]).join()");
            if (name.startsWith("bell")) {
                assertThat(title).isEmpty();
            } else {
                assertThat(words(title))
                        .startsWith("view", file.toString(), "--at")
                        .hasSize(4);
            }
        }
        assertThat(folder.resolve("x")).doesNotExist();
        assertThat(folder.resolve("y")).doesNotExist();
    }

    @Test
    void aRankWithoutAPageIsShownByACommand() throws Exception {
        Path page = folder.resolve("collectives.html");
        lockstep("collectives", folder.resolve("run"), "--html", page);
        browser.open(page.toUri().toString());
        String title = browser.evaluate("document.querySelector('.findings button.lead').title.split('\\n')[1]");
        assertThat(words(title))
                .startsWith("view", "--own", folder.resolve("run/rank1.json").toString(), "--at");
    }

    @Test
    void anEventOfADifferenceLeadsToTheOneAgainstIt() throws Exception {
        browser.open(out.resolve("diff.html").toUri() + "#timeline&e=longest&q=cat%3Acompute");
        String kernel = browser.evaluate("document.querySelector('.panel .name').textContent");
        String first = throughToTheOther(kernel);
        String second = throughToTheOther(kernel);
        assertThat(first.contains("rowA ·")).isNotEqualTo(second.contains("rowA ·"));
        assertThat(start(second)).as("both begin together").isEqualTo(start(first));
    }

    /** Follows the link of the panel to the other recording; returns what it says there. */
    private static String throughToTheOther(String kernel) throws InterruptedException {
        browser.evaluate("[...document.querySelectorAll('.panel dt')].find((dt) => /^in [AB]$/.test(dt.textContent))"
                + ".nextSibling.querySelector('button').click()");
        browser.settle();
        assertThat(browser.evaluate("document.querySelector('.panel .name').textContent"))
                .isEqualTo(kernel);
        return browser.evaluate("document.querySelector('.panel dl').textContent");
    }

    /** The start that the panel says, without the time in the trace, which is another one in each. */
    private static String start(String panel) {
        return panel.replaceAll("(?s).*start([\\d.,]+ \\S+) \\d+ nsrow.*", "$1");
    }
}
