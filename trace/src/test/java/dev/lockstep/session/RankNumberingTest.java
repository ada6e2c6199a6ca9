// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.error.UserException;
import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.session.RankSet.Member;
import dev.lockstep.session.RankSet.Status;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is who where not all files can be read. */
class RankNumberingTest {
    @TempDir
    private Path folder;

    private void write(String name, String content) throws IOException {
        write(name, content.getBytes(UTF_8));
    }

    private void write(String name, byte[] content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, content);
    }

    /** A trace with one operator of this name, so that it can be told whose it is. */
    private static String trace(String name, int stated, int world) {
        String document = TestTraces.document(new EventText().op(name, 0, 10).toString());
        String facts =
                "\"distributedInfo\": {\"rank\": " + stated + (world > 0 ? ", \"world_size\": " + world : "") + "}";
        return stated < 0 ? document : document.replaceFirst("\\{", "{" + facts + ", ");
    }

    /** A file with several ranks that have no numbers. */
    private static String processes(int count) {
        String process = "{\"buffer_records\": {\"hip_api\": [{\"start_timestamp\": 1, \"end_timestamp\": 2}]}}";
        return "{\"rocprofiler-sdk-tool\": [" + String.join(", ", Collections.nCopies(count, process)) + "]}";
    }

    private List<Path> files() throws IOException {
        return TraceFiles.of(List.of(folder.toString()));
    }

    private RankSet<String> read() throws IOException {
        try (Session session = new Session(2)) {
            return RankSet.read(session, files(), RankSelection.any(), RankNumberingTest::taken, bytes -> {});
        }
    }

    private RankSet<String> readByRank(Set<String> discarded) throws IOException {
        try (Session session = new Session(2)) {
            return RankSet.readByRank(
                    session, files(), RankSelection.any(), RankNumberingTest::taken, discarded::add, bytes -> {});
        }
    }

    private RankSet<String> readInOrder() throws IOException {
        try (Session session = new Session(2)) {
            return RankSet.readInOrder(
                    session,
                    files(),
                    RankSelection.any(),
                    ReadOptions.Keep.MEANING,
                    RankNumberingTest::taken,
                    bytes -> {});
        }
    }

    /** What was taken of a trace, and under which number. */
    private static String taken(Trace trace) {
        return trace.info().rank().index() + " " + trace.info().source();
    }

    private List<String> said(RankSet<?> ranks) {
        return ranks.members().stream()
                .map(member -> member.rank() + " " + member.status() + " "
                        + (member.source().isEmpty()
                                ? "-"
                                : folder.relativize(Path.of(member.source())).toString()))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"traceEvents", "{", "nonsense", "\0\0\0\0", "<html></html>", "{}", "null"})
    void aTraceThatCannotBeReadKeepsItsPlace(String content) throws IOException {
        for (String damaged : List.of("a", "b", "c")) {
            for (String name : List.of("a", "b", "c")) {
                write("node" + name + "_7.1700000000.pt.trace.json", trace(name, -1, 0));
            }
            write("node" + damaged + "_7.1700000000.pt.trace.json", content);
            List<String> expected = new ArrayList<>();
            for (String name : List.of("a", "b", "c")) {
                expected.add(expected.size() + (name.equals(damaged) ? " UNREADABLE " : " READ ") + "node" + name
                        + "_7.1700000000.pt.trace.json");
            }

            assertThat(said(read())).isEqualTo(expected);
            assertThat(said(readInOrder())).isEqualTo(expected);
            assertThat(read().isComplete()).isFalse();
            assertThat(read().worldSize()).isEqualTo(3);
        }
    }

    @Test
    void whatIsNoTraceTakesNoNumber() throws IOException {
        write("a.json", trace("a", -1, 0));
        write("b/settings.json", "{\"lr\": 0.1, \"layers\": [1, 2]}");
        write("b/metrics.json", "{\"loss\": 1}\n{\"loss\": 0.5}\n");
        write("b/execution.json", "{\"schema\": \"1.1.0\", \"nodes\": [{\"id\": 1, \"ctrl_deps\": 0");
        write("b/memory.json", "[[1, 2], [[3], [4]]]");
        write("c.json", trace("c", -1, 0));

        RankSet<String> ranks = read();

        assertThat(said(ranks))
                .containsExactly(
                        "0 READ a.json",
                        "1 READ c.json",
                        "-1 SET_ASIDE b/execution.json",
                        "-1 SET_ASIDE b/memory.json",
                        "-1 SET_ASIDE b/metrics.json",
                        "-1 SET_ASIDE b/settings.json");
        assertThat(said(readInOrder())).isEqualTo(said(ranks));
        assertThat(ranks.isComplete()).isTrue();
        assertThat(ranks.worldSize()).isEqualTo(2);
    }

    @Test
    void whatLooksLikeSettingsIsATraceWhereItsNameOrAKeySaysSo() throws IOException {
        write("a.json", trace("a", -1, 0));
        write("b.pt.trace.json", "{\"lr\": 0.1}");
        write("c.json", "{\"lr\": 0.1, \"deviceProperties\": []}");
        write("d.json", "{\"lr\": 0.1, \"events\": [{\"ph\": \"X\", \"ts\": 1}]}");
        write("e.json", "{\"lr\": 0.1}".getBytes(UTF_16LE));
        assertThat(said(read()))
                .containsExactly(
                        "0 READ a.json",
                        "1 UNREADABLE b.pt.trace.json",
                        "2 UNREADABLE c.json",
                        "3 UNREADABLE d.json",
                        "4 UNREADABLE e.json");
    }

    @Test
    void aFileThatCannotBeReadCountsForAsManyRanksAsEachOther() throws IOException {
        write("a.json", processes(2));
        write("b.json", "{\"rocprofiler-sdk-tool\": nonsense");
        write("b.json", "");
        write("c.json", processes(2));

        RankSet<String> ranks = read();

        assertThat(said(ranks))
                .containsExactly(
                        "0 READ a.json",
                        "1 READ a.json",
                        "2 UNREADABLE b.json",
                        "3 UNREADABLE b.json",
                        "4 READ c.json",
                        "5 READ c.json");
        assertThat(ranks.members().get(2).note())
                .contains("how many ranks it held is not known: it counts for 2, as many as each other file holds");
        assertThat(said(readInOrder())).isEqualTo(said(ranks));
    }

    @Test
    void aDamagedFileThatShowsFewerRanksThanEachOtherLeavesPlaces() throws IOException {
        String whole = processes(3);
        write("a.json", whole);
        write("b.json", whole.substring(0, whole.indexOf("}]}}, {") + 4));
        write("c.json", whole);

        RankSet<String> ranks = read();

        assertThat(said(ranks))
                .containsExactly(
                        "0 READ a.json",
                        "1 READ a.json",
                        "2 READ a.json",
                        "3 PARTIAL b.json",
                        "4 UNREADABLE b.json",
                        "5 UNREADABLE b.json",
                        "6 READ c.json",
                        "7 READ c.json",
                        "8 READ c.json");
        assertThat(ranks.members().get(4).note())
                .contains(
                        "nothing of this rank is left to read",
                        "how many ranks it held is not known: it counts for 3, as many as each other file holds");
        assertThat(said(readInOrder())).isEqualTo(said(ranks));
        for (Member<String> member : readByRank(new ConcurrentSkipListSet<>()).present()) {
            assertThat(member.kept()).isEqualTo(member.rank() + " " + member.source());
        }
    }

    @Test
    void whereOthersDifferItIsSaidThatADamagedFileMayHaveHeldMore() throws IOException {
        String three = processes(3);
        write("a.json", processes(2));
        write("b.json", three.substring(0, three.indexOf("}]}}, {") + 4));
        write("c.json", three);

        RankSet<String> ranks = read();

        assertThat(ranks.members()).extracting(Member::rank).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(ranks.members().get(2).note())
                .contains("it counts for one, and the ranks of files behind it may have other numbers in truth");
        assertThat(said(readInOrder())).isEqualTo(said(ranks));
    }

    @Test
    void itCountsForOneWhereOthersHoldDifferentlyManyAndThatIsSaid() throws IOException {
        write("a.json", processes(2));
        write("b.json", "");
        write("c.json", processes(3));

        RankSet<String> ranks = read();

        assertThat(ranks.members()).extracting(Member::rank).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(ranks.members().get(2).note()).contains("the ranks of files behind it may have other numbers");
        assertThat(said(readInOrder())).isEqualTo(said(ranks));
    }

    /** Names of files say nothing of ranks where each file holds several. */
    @Test
    void theNameOfAFileThatCannotBeReadIsBelievedNoMoreThanThoseOfOthers() throws IOException {
        write("rank0_results.json", processes(2));
        write("rank1_results.json", "");
        write("rank2_results.json", processes(2));

        RankSet<String> ranks = read();

        assertThat(said(ranks))
                .containsExactly(
                        "0 READ rank0_results.json",
                        "1 READ rank0_results.json",
                        "2 UNREADABLE rank1_results.json",
                        "3 UNREADABLE rank1_results.json",
                        "4 READ rank2_results.json",
                        "5 READ rank2_results.json");
        assertThat(said(readInOrder())).isEqualTo(said(ranks));
    }

    @Test
    void whereAllOthersSayWhoTheyAreTheOnlyRankThatIsLeftIsTheOneThatCannotBeRead() throws IOException {
        write("a.json", trace("a", 3, 4));
        write("b.json", "");
        write("c.json", trace("c", 0, 4));
        write("d.json", trace("d", 2, 4));
        assertThat(said(read()))
                .containsExactly("0 READ c.json", "1 UNREADABLE b.json", "2 READ d.json", "3 READ a.json");
        assertThat(said(readInOrder())).isEqualTo(said(read()));
    }

    @Test
    void whereSeveralAreLeftItIsNotKnownWhichItIs() throws IOException {
        write("a.json", trace("a", 3, 5));
        write("b.json", "");
        write("c.json", trace("c", 0, 5));

        RankSet<String> ranks = read();

        assertThat(said(ranks))
                .containsExactly(
                        "0 READ c.json",
                        "1 MISSING -",
                        "2 MISSING -",
                        "3 READ a.json",
                        "4 MISSING -",
                        "-1 UNREADABLE b.json");
        assertThat(ranks.members().getLast().note())
                .contains("which rank it is, is not known: those without a file are 1, 2, 4");
        assertThat(ranks.members().get(1).note()).isEqualTo("no file for this rank among those that can be read");
        assertThat(ranks.isComplete()).isFalse();
        assertThat(said(readInOrder())).isEqualTo(said(ranks));
    }

    @Test
    void aFileThatIsCutBehindTheRankThatItStatesIsThatRank() throws IOException {
        write("a.json", trace("a", 2, 3));
        write("b.json", "{\"schemaVersion\": 1, \"distributedInfo\": {\"rank\": 0, \"world_size\": 3}, \"traceEv");
        write("c.json", trace("c", 1, 3));
        assertThat(said(read())).containsExactly("0 UNREADABLE b.json", "1 READ c.json", "2 READ a.json");
        assertThat(said(readInOrder())).isEqualTo(said(read()));
    }

    @Test
    void aLinkThatLeadsNowhereIsATraceThatCannotBeRead() throws IOException {
        write("b.json", trace("b", -1, 0));
        Files.createSymbolicLink(folder.resolve("a.json"), Path.of("gone.json"));
        RankSet<String> ranks = read();
        assertThat(said(ranks)).containsExactly("0 UNREADABLE a.json", "1 READ b.json");
        assertThat(ranks.members().getFirst().note()).contains("this link leads nowhere");
    }

    @Test
    void whatWasTakenUnderAnotherNumberIsTakenAgain() throws IOException {
        write("a.json", processes(2));
        write("b.json", processes(2));
        write("c.json", trace("c", -1, 0));
        Set<String> discarded = new ConcurrentSkipListSet<>();

        RankSet<String> ranks = readByRank(discarded);

        for (Member<String> member : ranks.members()) {
            assertThat(member.kept()).isEqualTo(member.rank() + " " + member.source());
        }
        assertThat(discarded).hasSize(3);
    }

    // ---- timelines that were merged ----

    /** A timeline of two ranks as merges write it, with the key at its end. */
    private static String merged(int... ranks) {
        StringBuilder events = new StringBuilder();
        for (int rank : ranks) {
            events.append(events.isEmpty() ? "" : ", ")
                    .append("{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": " + (rank + 1)
                            + ", \"args\": {\"name\": \"rank " + rank
                            + ": a\"}}, {\"ph\": \"X\", \"name\": \"op\", \"pid\": "
                            + (rank + 1) + ", \"tid\": 1, \"ts\": 1, \"dur\": 1}");
        }
        return "{\"traceEvents\": [" + events + "], \"lockstepMerge\": {}}";
    }

    @Test
    void aMergedTimelineBesideItsRanksIsLeftOutWhereverItStands() throws IOException {
        write("b.json", trace("b", -1, 0));
        write("d.json", trace("d", -1, 0));
        for (String name : List.of("a.json", "c.json", "e.json")) {
            write(name, merged(0, 1));
            assertThat(said(read())).containsExactly("0 READ b.json", "1 READ d.json", "-1 SET_ASIDE " + name);
            assertThat(said(readInOrder())).isEqualTo(said(read()));
            Files.delete(folder.resolve(name));
        }
        write("e.json", merged(2, 3));
        assertThat(said(read())).containsExactly("0 READ b.json", "1 READ d.json", "2 READ e.json", "3 READ e.json");
        assertThat(said(readInOrder())).isEqualTo(said(read()));
    }

    @Test
    void aMergedTimelineBesideARankThatCannotBeReadIsLeftOutToo() throws IOException {
        write("b.json", "");
        write("d.json", trace("d", -1, 0));
        write("e.json", merged(0, 1));
        assertThat(said(read())).containsExactly("0 UNREADABLE b.json", "1 READ d.json", "-1 SET_ASIDE e.json");
        assertThat(said(readInOrder())).isEqualTo(said(read()));
    }

    // ---- runs at random ----

    /** A run, and how its files are damaged: what is read of it, in whatever way, is the same, and no rank has a wrong number. */
    @Test
    void damageAtRandomLosesNoRankAndRenumbersNone() throws IOException {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Path run = Files.createDirectories(folder.resolve("s" + seed));
            Path all = folder;
            try {
                folder = run;
                check("seed " + seed, random);
            } catch (UserException e) {
                throw new AssertionError("seed " + seed, e);
            } finally {
                folder = all;
            }
        }
    }

    private void check(String seed, Random random) throws IOException {
        boolean several = random.nextInt(4) == 0;
        int each = several ? 1 + random.nextInt(3) : 1;
        int files = 2 + random.nextInt(4);
        boolean states = !several && random.nextBoolean();
        boolean names = !several && random.nextInt(3) == 0;
        boolean packed = random.nextInt(3) == 0;
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            numbers.add(i);
        }
        Collections.shuffle(numbers, random);
        for (int i = 0; i < files; i++) {
            String content =
                    several ? processes(each) : trace("op" + i, states ? numbers.get(i) : -1, states ? files : 0);
            String name = (names ? "rank" + (states ? numbers.get(i) : i) : "node" + (char) ('a' + i)) + ".json";
            write(packed ? name + ".gz" : name, packed ? gzip(content.getBytes(UTF_8)) : content.getBytes(UTF_8));
        }
        if (random.nextInt(3) == 0) {
            write("settings.json", "{\"batch\": " + random.nextInt(9) + "}");
        }
        Map<Integer, String> whole = numbered(read());
        assertThat(whole).as(seed).hasSize(files * each);
        int damaged = 1 + random.nextInt(files - 1);
        List<Path> victims = new ArrayList<>(files());
        victims.removeIf(file -> file.endsWith("settings.json"));
        Collections.shuffle(victims, random);
        Set<String> lost = new TreeSet<>();
        for (Path victim : victims.subList(0, damaged)) {
            lost.add(victim.toString());
            Files.write(victim, damage(Files.readAllBytes(victim), random));
        }

        RankSet<String> read = read();
        String what = seed + " " + lost + " " + said(read);

        Map<Integer, String> left = numbered(read);
        left.forEach((rank, source) -> assertThat(whole).as(what).containsEntry(rank, source));
        Set<String> unread = read.members().stream()
                .filter(member -> member.status() == Status.UNREADABLE || member.status() == Status.PARTIAL)
                .map(Member::source)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(unread).as(what).isEqualTo(lost);
        assertThat(read.isComplete()).as(what).isFalse();
        assertThat(read.worldSize()).as(what).isEqualTo(files * each);
        RankSet<String> inOrder = readInOrder();
        assertThat(said(inOrder)).as(what).isEqualTo(said(read));
        for (RankSet<String> other : List.of(inOrder, readByRank(new ConcurrentSkipListSet<>()))) {
            for (Member<String> member : other.present()) {
                assertThat(member.kept()).as(what).isEqualTo(member.rank() + " " + member.source());
            }
        }
    }

    private static Map<Integer, String> numbered(RankSet<String> ranks) {
        Map<Integer, String> numbered = new TreeMap<>();
        ranks.present().forEach(member -> numbered.put(member.rank(), member.source()));
        return numbered;
    }

    /** Damage before the first event. */
    private static byte[] damage(byte[] content, Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> new byte[0];
            case 1 -> new byte[content.length];
            case 2 -> Arrays.copyOf(content, random.nextInt(12));
            case 3 -> new String(content, UTF_8).getBytes(UTF_16LE);
            default -> {
                byte[] noise = new byte[content.length];
                random.nextBytes(noise);
                yield noise;
            }
        };
    }

    private static byte[] gzip(byte[] content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
            packed.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
