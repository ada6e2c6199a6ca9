// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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
        StringWriter err = new StringWriter();
        int status = Main.run(
                new PrintWriter(new StringWriter()),
                new PrintWriter(err),
                "report",
                run.toString(),
                "-o",
                out.toString());
        assertThat(status).as(err::toString).isZero();
        browser = new DrivenBrowser();
    }

    @AfterAll
    static void close() throws IOException {
        if (browser != null) {
            browser.close();
        }
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
    void headlineBarAndThreeFindingsAreInSightAtOnce() throws Exception {
        open("rank0/report.html");
        String bottoms =
                browser.evaluate("[...document.querySelectorAll('h1, .bars, .findings > li:nth-child(3)')].slice(0, 3)"
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
    void searchSaysHowManyAndHowLongAsTheTableDoes() throws Exception {
        open("rank0/report.html");
        List<String> lines = Files.readAllLines(out.resolve("csv/rank0/kernel_summary.csv"));
        assertThat(lines).hasSizeGreaterThan(1);
        String name = browser.evaluate(
                "(() => { const s = JSON.parse(document.getElementById('data').textContent).sections.find((x) =>"
                        + " x.name === 'kernel_summary'); const c = s.columns.find((x) => x.header === 'Kernel name');"
                        + " return c.texts[c.cells[0]]; })()");
        String expected = browser.evaluate(
                "(() => { const s = JSON.parse(document.getElementById('data').textContent).sections.find((x) =>"
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
}
