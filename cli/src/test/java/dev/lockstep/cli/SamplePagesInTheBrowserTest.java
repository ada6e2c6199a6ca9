// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.report.Chart;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.MemoryPlan;
import dev.lockstep.synth.SweepRecipe;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticSweep;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.synth.Workers;
import dev.lockstep.testkit.DrivenBrowser;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.HtmlWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What holds for every kind of page that the program writes, seen in a real browser. */
class SamplePagesInTheBrowserTest {
    /** As many are walked on a page. */
    private static final int TAB_STOPS = 40;

    /** Of these the PDF is made, too: of a rank, of a sweep with pictures, of memory as areas. */
    private static final Set<String> PRINTED = Set.of("rank", "sweep", "memory");

    @TempDir
    static Path folder;

    private static final Map<String, Path> PAGES = new LinkedHashMap<>();
    private static DrivenBrowser browser;

    @BeforeAll
    static void pages() throws Exception {
        browser = new DrivenBrowser();
        TraceRecipe recipe = SyntheticTraces.smallRecipe(2)
                .withSteps(4)
                .withStraggler(1, 1.3)
                .withPythonStacks(true);
        Path run = Files.createDirectory(folder.resolve("run"));
        for (int rank = 0; rank < 2; rank++) {
            Files.write(run.resolve("rank" + rank + ".json"), SyntheticRun.bytes(recipe, rank));
        }
        Path out = folder.resolve("out");
        made("run", out.resolve("report.html"), "report", run, "-o", out);
        PAGES.put("rank", out.resolve("rank0/report.html"));
        Path csv = out.resolve("csv");
        page("diff", "diff", run.resolve("rank0.json"), run.resolve("rank1.json"));
        page("compare", "compare", csv.resolve("rank0"), csv.resolve("rank1"));
        page("collectives", "collectives", run);
        page("fleet", "fleet", run);
        page("kernels", "kernels", "extract", run.resolve("rank0.json"));
        Path schedule = folder.resolve("schedule.goal");
        Files.writeString(schedule, """
            num_ranks 2

            rank 0 {
            l1: calc 1000
            l2: send 4096b to 1 tag 7
            l2 requires l1
            }

            rank 1 {
            l1: recv 4096b from 0 tag 7
            l2: calc 500
            l2 requires l1
            }
            """);
        page("schedule", "goal", "report", schedule);
        Path sweep = folder.resolve("sweep");
        SyntheticSweep.write(
                sweep,
                SweepRecipe.grid(SyntheticTraces.smallRecipe(2), List.of(256, 1024), List.of(28, 42)),
                Layout.torchProfiler("trace.json"),
                Workers.none());
        made("sweep", sweep.resolve("lockstep_reports/sweep.html"), "sweep", "all", sweep, "--no-merge");
        Path lists = sweep.resolve("lockstep_reports");
        if (!Files.exists(lists.resolve("gemm_variance.csv"))) {
            Files.writeString(
                    lists.resolve("gemm_variance.csv"),
                    "threads,channel,rank,kernel_name,time_diff_us\n256,28,0,k,5\n1024,42,1,k,10\n");
        }
        Path sweeps = folder.resolve("sweeps.html");
        made("two sweeps", sweeps, "sweep", "html", "--sweep1", sweep, "--sweep2", sweep, "--output", sweeps);
        Path settings = folder.resolve("settings");
        made(
                "settings",
                settings.resolve("performance_analysis_report.html"),
                "config",
                "compare",
                "--baseline",
                sweep.resolve("256thread/nccl_28channels"),
                "--test",
                sweep.resolve("1024thread/nccl_42channels"),
                "--output",
                settings);
        page("stragglers", "stragglers", run);
        Path allocations = folder.resolve("allocations.json");
        Files.write(
                allocations, SyntheticRun.bytes(SyntheticTraces.smallRecipe(1).withMemory(MemoryPlan.plain()), 0));
        page("memory", "memory", allocations);
        page("baseline", "report", run.resolve("rank0.json"), "--baseline", run.resolve("rank1.json"));
        Path cycles = folder.resolve("cycles.json");
        Files.writeString(cycles, AIU);
        made("aiu", folder.resolve("aiu/cycles.html"), "aiu", "-i", cycles, "-o", folder.resolve("aiu/cycles.json"));
        browser.show(false, false);
        for (Map.Entry<String, Path> page : PAGES.entrySet()) {
            look(page.getKey(), page.getValue());
        }
    }

    /** Two kernels and a transfer of an AIU, with the counters of its device at 500 MHz. */
    private static final String AIU = """
        [{"ph":"X","name":"mm_1 Cmpt Exec","ts":1000,"dur":100,"pid":0,"tid":7,
          "attr":{"TS1":"0x100","TS2":"0x100","TS3":"0x100","TS4":"0xc450","TS5":"0xc450","Power":"3620872431"}},
         {"ph":"X","name":"add_2 Cmpt Exec","ts":1150,"dur":100,"pid":0,"tid":7,
          "attr":{"TS1":"0x12600","TS2":"0x12600","TS3":"0x12600","TS4":"0x1e950","TS5":"0x1e950","Power":"3620872431"}},
         {"ph":"X","name":"add_2 DmaO","ts":1260,"dur":40,"pid":0,"tid":8,
          "attr":{"TS1":"0x1f000","TS2":"0x1f000","TS3":"0x23e20","TS4":"0x23e20","TS5":"0x23e20"}}]
        """;

    private static void page(String name, Object... command) {
        Object[] line = Arrays.copyOf(command, command.length + 2);
        Path page = folder.resolve(name + ".html");
        line[command.length] = "--html";
        line[command.length + 1] = page;
        made(name, page, line);
    }

    private static void made(String name, Path page, Object... command) {
        StringWriter err = new StringWriter();
        int status = TestProgram.run(new StringWriter(), err, command);
        assertThat(status).as("%s: %s", name, err).isIn(0, 1);
        PAGES.put(name, page);
    }

    @AfterAll
    static void close() throws IOException {
        if (browser != null) { // else the tests were skipped
            browser.close();
        }
    }

    /**
     * What was seen of a page.
     *
     * @param troubles errors, and what was asked for beside the page
     * @param pale texts that cannot be read, in light and in dark
     * @param misused what has the colours of better and worse and should not
     * @param covered labels that lie on something
     * @param looks what legends show, a line for each name
     * @param unproven problems that lead to no rows
     * @param small what is wider than a telephone, or too small to be touched there
     * @param unreached what a pointer can do and keys cannot, and what does not show that it has the focus
     * @param adrift parts of pictures that lead nowhere, or to what is not there
     * @param most titles of pictures, and what is said to be most of what they show
     */
    private record Seen(
            String troubles,
            String pale,
            String misused,
            String covered,
            String looks,
            String unproven,
            String small,
            String unreached,
            String adrift,
            String most) {}

    private static final Map<String, Seen> SEEN = new LinkedHashMap<>();

    /** Looks at every page once. */
    private static void look(String name, Path page) throws Exception {
        browser.resize(1366, 800);
        browser.open(page.toUri().toString());
        browser.evaluate("document.querySelectorAll('summary').forEach((one) => one.parentElement.open = true)");
        String covered = browser.evaluate(COVERED);
        String looks = browser.evaluate(LOOKS);
        String unproven = browser.evaluate(UNPROVEN);
        String light = browser.evaluate(PALE);
        String misused = browser.evaluate(MISUSED);
        String unreached = browser.evaluate(UNREACHED) + walked();
        String adrift = browser.evaluate(ADRIFT);
        String most = browser.evaluate(MOST);
        browser.show(true, false);
        String dark = browser.evaluate(PALE);
        misused += browser.evaluate(MISUSED);
        browser.show(false, false);
        browser.resize(390, 800);
        browser.settle();
        String small = browser.evaluate(SMALL);
        String troubles = browser.evaluate("document.documentElement.dataset.error || ''")
                + String.join("\n", browser.troubles())
                + browser.requests().stream()
                        .skip(1)
                        .filter(address -> !address.startsWith("data:"))
                        .collect(Collectors.joining("\n"));
        SEEN.put(
                name,
                new Seen(troubles, light + dark, misused, covered, looks, unproven, small, unreached, adrift, most));
    }

    private static void assertNothing(Function<Seen, String> of) {
        assertThat(SEEN).hasSize(PAGES.size());
        SEEN.forEach((page, seen) -> assertThat(of.apply(seen)).as(page).isEmpty());
    }

    private static final String LOOKS = """
        [...document.querySelectorAll('.legend li')].map((one) => {
          const shape = one.querySelector('.swatch > *');
          return `${one.textContent}${shape ? ' dot' : ''}=${shape ? shape.style.fill + shape.tagName + (shape.getAttribute('d') || '') : one.querySelector('i').style.background}`;
        }).join('\\n')\
        """;

    private static final String UNPROVEN = """
        [...document.querySelectorAll('.findings li')].filter((one) => one.querySelector('svg.problem') && one.querySelectorAll('.lead').length < 2)
          .map((one) => one.textContent.slice(0, 80)).join()\
        """;

    /** Bars, dots, cells and steps without a link, and links to sheets or rows that are not there. */
    private static final String ADRIFT = """
        (() => {
          const sections = window.carried.sections;
          const parts = [...document.querySelectorAll('.bars .track:has(.part), svg.vector .dot:not(.swatch *), svg.vector rect:not(.grid)')];
          const leads = (part) => part.matches('.leads-on') || part.querySelector('[role=link]');
          const adrift = parts.filter((part) => !leads(part)).map((part) => `${part.closest('section, header').querySelector('h2, h1').textContent}: ${part.outerHTML.slice(0, 60)}`);
          const links = [...document.querySelectorAll('[data-lead], .bars .label a')].map((one) => one.dataset.lead || one.getAttribute('href'));
          const missing = [...new Set(links)].filter((link) => {
            const [, sheet, rows] = /^#table\\/([^&]+)(?:&r=([\\d,]+))?/.exec(link) || [];
            const table = sheet && sections.find((one) => one.kind === 'table' && one.name === decodeURIComponent(sheet));
            return sheet && (!table || (rows || '').split(',').some((row) => Number(row) > table.total));
          });
          return [...new Set(adrift), ...missing].slice(0, 6).join('; ');
        })()\
        """;

    private static final String MOST = """
        [...document.querySelectorAll('.most')].map((one) => `${one.parentElement.querySelector('h2').textContent} ${one.textContent}`).join('\\n')\
        """;

    private static final String SMALL = """
        [...(document.documentElement.scrollWidth <= 390 ? [] : [`${document.documentElement.scrollWidth} wide`]),
          ...[...document.querySelectorAll('button, select, input:not([type=checkbox]), summary, a.lead')]
            .filter((one) => one.checkVisibility() && Math.min(one.getBoundingClientRect().height, one.getBoundingClientRect().width) < 43.5)
            .map((one) => one.outerHTML.slice(0, 80))].slice(0, 4).join()\
        """;

    @Test
    void nothingIsAskedForAndNothingGoesWrong() {
        assertNothing(Seen::troubles);
    }

    @Test
    void telephonesShowEverythingWithinTheirWidth() {
        assertNothing(Seen::small);
    }

    /** What looks as if it could be clicked, and neither has a tab stop nor is in something that has one. */
    private static final String UNREACHED = """
        (() => {
          const clickable = (one) => /pointer|zoom/.test(getComputedStyle(one).cursor);
          const stops = 'a[href], button, input, select, textarea, summary, label, [tabindex="0"]';
          const reached = (one) => one.matches(stops) || one.querySelector(stops) || one.parentElement.closest(stops)
            || one.previousElementSibling?.querySelector('a[href]')
            || (one.closest('[tabindex="-1"]') && one.closest('svg, table, .bars, .grid, ul, ol')?.querySelector(stops));
          return [...document.querySelectorAll('body *')]
            .filter((one) => one.checkVisibility() && clickable(one) && !clickable(one.parentElement) && !reached(one))
            .map((one) => one.outerHTML.slice(0, 90)).slice(0, 4).join('; ');
        })()\
        """;

    private static final String FOCUS = """
        (() => {
          const one = document.activeElement;
          if (one === document.body) return '';
          const style = getComputedStyle(one);
          const box = one.getBoundingClientRect();
          const shown = (style.outlineStyle !== 'none' && style.outlineWidth !== '0px') || style.boxShadow !== 'none' || one.ownerSVGElement;
          const inSight = box.bottom > 0 && box.top < innerHeight && box.width > 0;
          return (shown && inSight ? '' : `${shown ? 'out of sight' : 'no outline'}: `) + one.outerHTML.slice(0, 90);
        })()\
        """;

    /** Goes from tab stop to tab stop as people do; what is wrong with what one meets. */
    private static String walked() throws InterruptedException {
        browser.evaluate("scrollTo(0, 0)");
        Set<String> met = new LinkedHashSet<>();
        Set<String> wrong = new LinkedHashSet<>();
        for (int i = 0; i < TAB_STOPS; i++) {
            browser.tab();
            String focus = browser.evaluate(FOCUS);
            met.add(focus);
            if (focus.startsWith("out of sight") || focus.startsWith("no outline")) {
                wrong.add(focus);
            }
        }
        return (met.size() < 3 ? "only " + met : "") + String.join("; ", wrong);
    }

    @Test
    void everyPartOfAPictureLeadsToWhatItShows() {
        assertNothing(Seen::adrift);
    }

    @Test
    void picturesSayWhatIsMostOfWhatTheyShow() {
        assertThat(Objects.requireNonNull(SEEN.get("run")).most())
                .contains("Ranks side by side Most: computation, ")
                .contains("Step time by rank Most: rank 1, +")
                .contains("Waiting caused by each rank Most: rank 1, ");
        assertThat(Objects.requireNonNull(SEEN.get("diff")).most())
                .contains("From the baseline to the candidate Most: ")
                .contains(" ms; in all ");
        assertThat(Objects.requireNonNull(SEEN.get("kernels")).most()).contains(" shown");
        SEEN.forEach((page, seen) -> assertThat(seen.most()).as(page).doesNotContain("undefined", "NaN"));
    }

    @Test
    void keysReachWhatPointersDoAndShowWhereTheyAre() {
        assertNothing(Seen::unreached);
    }

    /** Every text against what lies under it. */
    private static final String PALE = """
        (() => {
          const numbers = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
          const light = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, w, i) => {
            const v = c[i] / 255;
            return sum + w * (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
          }, 0);
          const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
          const ground = (element) => {
            for (let one = element; one; one = one.parentElement) {
              const c = numbers(getComputedStyle(one).backgroundColor);
              if (c.length === 3 || c[3] > 0.99) return c;
            }
            return [255, 255, 255];
          };
          const under = (text) => {
            const box = text.getBoundingClientRect();
            const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
            const rects = [...text.ownerSVGElement.querySelectorAll('rect')].filter((rect) => {
              const b = rect.getBoundingClientRect();
              return b.left <= x && x <= b.right && b.top <= y && y <= b.bottom;
            });
            return rects.length ? numbers(getComputedStyle(rects[rects.length - 1]).fill) : ground(text.ownerSVGElement);
          };
          const pale = [];
          for (const one of document.querySelectorAll('body *')) {
            const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
            if (!own || !one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || /^(SCRIPT|STYLE|NOSCRIPT|OPTION)$/.test(one.tagName)) continue;
            const style = getComputedStyle(one);
            const svg = one.ownerSVGElement;
            const colour = numbers(svg ? style.fill : style.color);
            if (colour[3] === 0) continue;
            const found = ratio(colour, svg ? under(one) : ground(one));
            if (found < 4.5) pale.push(`${one.tagName}.${one.getAttribute('class')} "${one.textContent.slice(0, 30)}" ${found.toFixed(2)}`);
          }
          return [...new Set(pale)].slice(0, 5).join('; ');
        })()\
        """;

    @Test
    void allTextCanBeReadInLightAndInDark() {
        assertNothing(Seen::pale);
    }

    /** What has the colours of better and worse without being a difference, a wait or a problem. */
    private static final String MISUSED = """
        (() => {
          const probe = document.createElement('i');
          document.body.append(probe);
          const of = (token) => { probe.style.color = `var(--${token})`; return getComputedStyle(probe).color; };
          const named = ['worse', 'better'].filter((token) => getComputedStyle(document.documentElement).getPropertyValue(`--${token}`));
          const tokens = named.map(of);
          probe.remove();
          return [...document.querySelectorAll('body *')].filter((one) => {
            const style = getComputedStyle(one);
            const uses = ['backgroundColor', 'fill', 'stroke', 'borderTopColor', 'outlineColor'].some((key) => tokens.includes(style[key]))
              || (tokens.includes(style.color) && ([...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) || one.matches('svg')));
            return uses && !one.closest('.problem, [data-scale="loss"], [data-scale="change"]') && !one.matches('.more, .less');
          }).map((one) => one.outerHTML.slice(0, 100)).slice(0, 3).join('; ');
        })()\
        """;

    @Test
    void betterAndWorseColourNothingElse() {
        assertNothing(Seen::misused);
    }

    /** Texts of pictures that lie on each other, and labels that lie on dots. */
    private static final String COVERED = """
        (() => {
          const found = [];
          const meets = (a, b) => a.left < b.right - 1.5 && b.left < a.right - 1.5 && a.top < b.bottom - 2.5 && b.top < a.bottom - 2.5;
          for (const svg of document.querySelectorAll('svg.vector')) {
            const texts = [...svg.querySelectorAll('text')].map((one) => [one, one.getBoundingClientRect()]);
            const dots = [...svg.querySelectorAll('.dot')].map((one) => one.getBoundingClientRect());
            texts.forEach(([a, box], i) => {
              texts.slice(i + 1).forEach(([b, other]) => meets(box, other) && found.push(`"${a.textContent}" on "${b.textContent}"`));
              if (a.classList.contains('label') && dots.some((dot) => meets(box, dot))) found.push(`"${a.textContent}" on a dot`);
            });
          }
          return found.slice(0, 5).join('; ');
        })()\
        """;

    @Test
    void everyProblemLeadsToItsRows() {
        assertNothing(Seen::unproven);
    }

    @Test
    void whatIsSaidOfASettingLeadsToItsRow() throws Exception {
        browser.resize(1366, 800);
        browser.open(PAGES.get("settings").toUri().toString());
        assertThat(browser.evaluate("[...document.querySelectorAll('.findings li')].filter((one) =>"
                        + " /channels (takes|is)|differs from|stands out/.test(one.textContent)"
                        + " && !one.querySelector('a.lead')).length"))
                .isEqualTo("0");
        browser.click("[id^=\"finding/\"] a.lead");
        assertThat(browser.evaluate("document.querySelector('.sheet tr.marked').textContent"))
                .contains("nccl_");
    }

    @Test
    void labelsLieOnNothing() {
        assertNothing(Seen::covered);
    }

    @Test
    void theSweepLeadsToTheRankThatTakesLongestAndBack() throws Exception {
        browser.resize(1366, 800);
        browser.open(PAGES.get("sweep").toUri().toString());
        browser.evaluate(
                "setTimeout(() => document.querySelector('svg .leads-on').dispatchEvent(new KeyboardEvent('keydown',"
                        + " {key: 'Enter'})), 0)");
        Thread.sleep(500);
        browser.await();
        assertThat(browser.evaluate("location.href")).matches(".*/individual_reports/perf_28ch_rank[01]\\.html");
        assertThat(browser.evaluate("document.querySelectorAll('.around a').length"))
                .isEqualTo("2");
        browser.evaluate("setTimeout(() => document.querySelector('.around a').click(), 0)");
        Thread.sleep(500);
        browser.await();
        assertThat(browser.evaluate("location.href")).endsWith("/sweep.html#config/256thread_28ch");
        assertThat(browser.evaluate("document.querySelector('.reached').textContent"))
                .isEqualTo("256thread_28ch");
        assertThat(browser.evaluate(
                        "[...document.querySelectorAll('[data-place=\"table/sweep_ranks\"] td.see a')].length"))
                .isEqualTo("8");
    }

    @Test
    void aCategoryHasOneLookOnAllPages() {
        Map<String, String> looks = new LinkedHashMap<>();
        SEEN.forEach((page, seen) -> seen.looks.lines().forEach(line -> {
            String name = line.substring(0, line.lastIndexOf('='));
            String look = line.substring(name.length() + 1);
            assertThat(looks.merge(name, look, (before, now) -> before))
                    .as(page + ": " + name)
                    .isEqualTo(look);
        }));
        assertThat(looks).hasSizeGreaterThan(10);
    }

    @Test
    void paperHoldsAllSectionsInLightColours() throws Exception {
        browser.resize(1366, 800);
        browser.show(true, true);
        for (String page : PAGES.keySet()) {
            browser.open(PAGES.get(page).toUri().toString());
            assertThat(browser.evaluate("[...document.querySelectorAll('main h2, main section')].filter((one) =>"
                            + " !one.checkVisibility()).length"))
                    .as(page)
                    .isEqualTo("0");
            assertThat(browser.evaluate("getComputedStyle(document.body).backgroundColor"))
                    .isEqualTo("rgb(255, 255, 255)");
            assertThat(browser.evaluate("[...document.querySelectorAll('button, input, nav')].filter((one) =>"
                            + " one.checkVisibility() && !one.closest('th, .around, #dock .bar')).length"))
                    .as(page)
                    .isEqualTo("0");
            assertThat(browser.evaluate("Math.max(0, ...[...document.querySelectorAll('.sheet')].map((one) =>"
                            + " [...one.querySelectorAll(':scope > table > tbody > tr')].filter((tr) =>"
                            + " tr.checkVisibility()).length)) <= 50"))
                    .isEqualTo("true");
            if (!PRINTED.contains(page)) {
                continue;
            }
            String headings = browser.evaluate(
                    "[...document.querySelectorAll('main h2')].map((one) => one.textContent).join('\\n')");
            byte[] pdf = browser.printed();
            String printed = new String(pdf, StandardCharsets.ISO_8859_1);
            assertThat(printed).startsWith("%PDF");
            for (String heading : headings.split("\n")) {
                if (heading.chars().allMatch(c -> c < 128) && !heading.contains("(")) {
                    assertThat(printed).as(page).contains("/Title (" + heading + ")");
                }
            }
        }
        browser.show(false, false);
    }

    /** A page with one picture, opened. */
    private static void show(Chart chart) throws Exception {
        Path page = folder.resolve("picture.html");
        new HtmlWriter()
                .write(new Report("picture", "", List.of(new Section.ChartSection(chart))), page, CellStyle.PLAIN);
        browser.resize(1366, 800);
        browser.open(page.toUri().toString());
    }

    @Test
    void whatElseIsInAPictureChangesNoCategorysLook() throws Exception {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            names.add("family " + (char) ('a' + i) + (char) ('z' - i));
        }
        Map<String, String> looks = new LinkedHashMap<>();
        for (List<String> order : List.of(
                names,
                names.reversed(),
                names.subList(20, 24),
                names.subList(3, 5).reversed())) {
            show(new Chart.Scatter(
                    "picture",
                    "",
                    new Chart.Axis("x", false),
                    new Chart.Axis("y", false),
                    order.stream()
                            .map(name -> new Chart.Points(
                                    name, false, new double[] {1}, new double[] {2}, new double[] {1}, List.of("")))
                            .toList(),
                    List.of()));
            for (String line : browser.evaluate(LOOKS).split("\n")) {
                String name = line.substring(0, line.lastIndexOf('='));
                String look = line.substring(name.length() + 1);
                assertThat(looks.merge(name, look, (before, now) -> before))
                        .as(name)
                        .isEqualTo(look);
            }
        }
        assertThat(looks).hasSize(24);
        assertThat(looks.values().stream().distinct().count()).isGreaterThan(8);
    }

    @Test
    void oneMessageOfFourBytesDoesNotStretchTheAxis() throws Exception {
        String ticks =
                "[...document.querySelectorAll('svg.vector .tick')].map((one) => one.textContent).filter((one) =>"
                        + " !one.includes('time')).join(' ')";
        double[] sizes = {4 << 20, 64 << 20, 256 << 20};
        double[] speeds = {90, 180, 200};
        show(messages(sizes, speeds, new double[] {50, 400, 1200}));
        String without = browser.evaluate(ticks);
        show(messages(new double[] {4, 4 << 20, 64 << 20, 256 << 20}, new double[] {100, 90, 180, 200}, new double[] {
            0.02, 50, 400, 1200
        }));
        assertThat(browser.evaluate(ticks)).isEqualTo(without).contains("MiB");
        assertThat(browser.evaluate("document.querySelector('svg.vector').textContent"))
                .contains("1 of little time");
        show(messages(new double[] {4, 4 << 20, 64 << 20, 256 << 20}, new double[] {5e-4, 90, 180, 200}, new double[] {
            9, 50, 400, 1200
        }));
        assertThat(browser.evaluate(ticks))
                .as("far off, for half a percent of the time")
                .isEqualTo(without);
        show(messages(new double[] {4, 4 << 20, 64 << 20, 256 << 20}, new double[] {5e-4, 90, 180, 200}, new double[] {
            90, 50, 400, 1200
        }));
        assertThat(browser.evaluate(ticks)).as("what takes time is drawn").isNotEqualTo(without);
    }

    /** Both would be coloured as what communicates, and have one shape. */
    @Test
    void twoSettingsInOnePictureAreToldApart() throws Exception {
        List<Chart.Points> series = new ArrayList<>();
        for (String name : List.of("nccl_28channels", "nccl_42channels", "nccl_56channels")) {
            series.add(new Chart.Points(
                    name, false, new double[] {1, 2}, new double[] {3, 4}, new double[] {1, 1}, List.of("a", "b")));
        }
        show(new Chart.Scatter(
                "Settings", "", new Chart.Axis("x", false), new Chart.Axis("y", false), series, List.of()));
        assertThat(browser.evaluate("new Set([...document.querySelectorAll('.legend .swatch > *')].map((one) =>"
                        + " one.getAttribute('d') || 'disc')).size"))
                .isEqualTo("3");
    }

    /** Of 64 rows every other one has room for its name; the one that a reader looks for has it. */
    @Test
    void theRowThatStandsOutIsNamed() throws Exception {
        for (int foremost : new int[] {0, 17, 18, 63}) {
            double[][] values = new double[64][4];
            List<String> rows = new ArrayList<>();
            for (int row = 0; row < values.length; row++) {
                rows.add("rank " + row);
                Arrays.fill(values[row], row == foremost ? 30 : row % 5);
            }
            show(new Chart.Heat("Ranks", "", "%", rows, List.of("1", "2", "3", "4"), values, Chart.Scale.LOSS));
            String boxes = "[...document.querySelectorAll('svg.vector .tick')].filter((one) =>"
                    + " one.textContent.startsWith('rank'))";
            assertThat(browser.evaluate(boxes + ".map((one) => one.textContent).join(';') + ';'"))
                    .contains("rank " + foremost + ";");
            assertThat(browser.evaluate(boxes + ".some((one, i, all) => i && one.getBoundingClientRect().top <"
                            + " all[i - 1].getBoundingClientRect().top + 11)"))
                    .as("no name lies on another")
                    .isEqualTo("false");
        }
    }

    private static Chart messages(double[] sizes, double[] speeds, double[] weights) {
        return new Chart.Scatter(
                "Bandwidth by size",
                "",
                new Chart.Axis("size (bytes)", true),
                new Chart.Axis("bus bandwidth (GB/s)", true),
                List.of(new Chart.Points(
                        "all_reduce", false, sizes, speeds, weights, Collections.nCopies(sizes.length, "one"))),
                List.of());
    }
}
