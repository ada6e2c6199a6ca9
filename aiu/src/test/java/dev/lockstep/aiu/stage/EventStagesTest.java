// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import static dev.lockstep.aiu.stage.StageEvents.counted;
import static dev.lockstep.aiu.stage.StageEvents.mapped;
import static dev.lockstep.aiu.stage.StageEvents.phase;
import static dev.lockstep.aiu.stage.StageEvents.x;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.AiuRules;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.EventLimit;
import dev.lockstep.aiu.pipeline.RawJson;
import dev.lockstep.error.UserException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What events are, which stay, in which order, on which rows, under which names. */
class EventStagesTest {
    private final StageEvents stages = new StageEvents();

    @ParameterizedTest
    @CsvSource({
        "mm Cmpt Prep, COMPUTE_PREP",
        "mm Cmpt Exec, COMPUTE_EXEC",
        "a DmaI, DATA_IN",
        "a DmaI of b, DATA_IN",
        "a DmaO, DATA_OUT",
        "Compute of x, SEN_DATA_CONVERT",
        "Compute of SenFusedDeviceNode_1, OTHER",
        "PrepareAndSyncRdma, MAIU_WIREUP",
        "Barrier: x, MAIU_BARRIER",
        "barrier: x, MAIU_BARRIER",
        "Flex RoundTrip, ROUNDTRIP_FLEX",
        "AIU Roundtrip, ROUNDTRIP_AIU",
        "anything, OTHER"
    })
    void classesOfFlex(String name, String kind) {
        EventClasses classes = new EventClasses();

        assertThat(classes.of(x(name, 0, 0, 1))).isEqualTo(kind);
        assertThat(classes.of(x(name, 0, 0, 1))).isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource({
        "Host DMA Wdone DmaI, MAIU_HDMA_PROTOCOL_WAIT_DATA",
        "HCOLL R5 Wait DATA, MAIU_HDMA_PROTOCOL_WAIT_DATA",
        "HCOLL Wait for ACK, MAIU_HDMA_PROTOCOL_WAIT_ACK",
        "HCOLL Send ACK Instruction, MAIU_HDMA_PROTOCOL_SIGNAL_ACK",
        "HCOLL Signal, MAIU_HDMA_PROTOCOL_SIGNAL_DATA",
        "Host DMA Wait for Notice, MAIU_HDMA_PROTOCOL_MONITOR_NOTICE",
        "HCOLL a DmaO, MAIU_HDMA_PROTOCOL_SEND_DATA",
        "HCOLL a DmaI, MAIU_HDMA_PROTOCOL_RECV_DATA",
        "HCOLL a, OTHER",
        "DLM Wait, MAIU_HDMA_PROTOCOL_WAIT_DATA",
        "Set BcList x, MAIU_PROTOCOL_SERIAL",
        "Xseg to rank 1, MAIU_PROTOCOL_SERIAL",
        "a DmaO, MAIU_P2PRDMA_PROTOCOL_SEND_DATA",
        "a DmaI, MAIU_P2PRDMA_PROTOCOL_RECV_DATA",
        "a Cmpt Exec, COMPUTE_EXEC"
    })
    void classesOfCollectives(String name, String kind) {
        assertThat(new EventClasses().of(x(name, 0, 0, 1, "CollGroup", "g"))).isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource({
        "k, kernel, COMPUTE_EXEC",
        "Memcpy (HtoD), gpu_memcpy, DATA_IN",
        "memcpy (DtoH), gpu_memcpy, DATA_OUT",
        "aiuDataConvert, cpu_op, SEN_DATA_CONVERT",
        "aiuPrepareAndSyncRdma, cpu_op, MAIU_WIREUP",
        "aiuLaunchSuperNode, cpu_op, ROUNDTRIP_FLEX",
        "aiuSuperNodeExecution, cpu_op, ROUNDTRIP_FLEX",
        "HCOLL Signal, cpu_op, MAIU_HDMA_PROTOCOL_SIGNAL_DATA",
        "a DmaI, cpu_op, OTHER"
    })
    void classesOfTorch(String name, String category, String kind) {
        AiuEvent event = x(name, 0, 0, 1);
        event.job = StageEvents.TORCH;
        event.category = category;

        assertThat(new EventClasses().of(event)).isEqualTo(kind);
    }

    @Test
    void dataBetweenTheFirstAndTheLastKernelBelongsToAProtocol() {
        Categorize categorize = new Categorize(AiuRules.OWN);
        AiuEvent[] events = {
            counted(x("load DmaI", 0, 10, 5)),
            counted(x("k Cmpt Exec", 0, 20, 5)),
            counted(x("in DmaI", 0, 30, 5)),
            counted(x("out DmaO", 0, 32, 5)),
            counted(x("in DmaI", 0, 33, 5, "bytes", " 128 ")),
            counted(x("out DmaO", 0, 34, 5, "bytes", 128L)),
            counted(x("l Cmpt Exec", 0, 40, 5)),
            counted(x("store DmaO", 0, 50, 5))
        };

        assertThat(stages.events(List.of(categorize.collect(), new Barrier(), categorize.update()), events))
                .extracting(e -> e.kind)
                .containsExactly(
                        "DATA_IN",
                        "COMPUTE_EXEC",
                        "MAIU_PROTOCOL_RECV_DATA",
                        "MAIU_PROTOCOL_SEND_DATA",
                        "MAIU_PROTOCOL_SIGNAL_ACK",
                        "MAIU_PROTOCOL_SIGNAL_DATA",
                        "COMPUTE_EXEC",
                        "DATA_OUT");
    }

    private boolean drops(String filter, AiuEvent event) {
        return new EventFilter(filter, stages.log()).drops(event);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "name:^mm",
                "cat:^kern",
                "ph:X",
                "ts:^1000\\.0$",
                "dur:^100\\.5$",
                "pid:^3$",
                "tid:^7$",
                "args.TS1:^1$",
                "args.TS5:^5$",
                "args.Power:^9$",
                "args.rank:^2$",
                "args.text:^t$",
                "args.real:^0\\.5$",
                "args.yes:^True$",
                "args.raw:^\\[1\\]$",
                "member:^m$",
                "name:nothing,cat:kernel",
                "odd,cat:kernel"
            })
    void filtersLookAtAllAttributes(String filter) {
        AiuEvent event = counted(
                x("mm", 3, 1000, 100.5, "text", "t", "real", 0.5, "yes", true, "raw", new RawJson("[1]")),
                1,
                2,
                3,
                4,
                5);
        event.device.power = 9;
        event.category = "kernel";
        event.rank = 2;
        event.other = Args.of("member", "m");

        assertThat(drops(filter, event)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "name:^x",
                "cat:a",
                "tid:8",
                "args.TS6:1",
                "args.TS1:1",
                "args.Power:1",
                "args.rank:0",
                "args.a:b",
                "b:c"
            })
    void filtersPassOverWhatIsAbsent(String filter) {
        assertThat(drops(filter, x("mm", 3, 1000, 100))).isFalse();
    }

    @Test
    void aPatternThatIsNoneIsRefused() {
        assertThatThrownBy(() -> drops("name:(", x("a", 0, 0, 0)))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("regular expression: (");
        drops("name", x("a", 0, 0, 0));
        assertThat(stages.said()).contains("WARNING FLTR: key:regex pattern not found in event filter. Skipping name");
    }

    @Test
    void limitsCountWhatLiesInTheWindow() {
        Limiter limiter = new Limiter(new EventLimit(1, 2, 10, 50, "M"), false);
        AiuEvent meta = phase('M', x("m", 0, 20, 0));

        assertThat(List.of(
                        limiter.lets(x("before", 0, 1, 8.9)),
                        limiter.lets(x("skipped", 0, 1, 9)),
                        limiter.lets(meta),
                        limiter.lets(x("first", 0, 20, 1)),
                        limiter.lets(x("second", 0, 50, 1)),
                        limiter.lets(x("behind", 0, 50.1, 1)),
                        limiter.lets(x("third", 0, 30, 1))))
                .containsExactly(false, false, true, true, true, false, false);
        assertThat(new Limiter(EventLimit.NONE, false).lets(x("early", 0, -5, 1)))
                .isFalse();
        assertThat(new Limiter(EventLimit.NONE, false).lets(x("early", 0, -5, 5)))
                .isTrue();
    }

    @Test
    void eventsAreSortedByTimeThenByLength() {
        AiuEvent[] events = {x("c", 0, 5, 1), x("a", 1, 3, 1), x("b", 0, 5, 4), x("d", 0, 5, 1), x("e", 0, 1, 1)};

        assertThat(stages.through(List.of(new SortEvents(true)), events))
                .containsExactly("X e 0 1.0+1.0", "X a 1 3.0+1.0", "X b 0 5.0+4.0", "X c 0 5.0+1.0", "X d 0 5.0+1.0");
        assertThat(stages.through(List.of(new SortEvents(false)), events))
                .containsExactly("X e 0 1.0+1.0", "X b 0 5.0+4.0", "X c 0 5.0+1.0", "X d 0 5.0+1.0", "X a 1 3.0+1.0");
        assertThat(stages.through(List.of(new Reverse()), events))
                .startsWith("X e 0 1.0+1.0")
                .endsWith("X c 0 5.0+1.0");
    }

    @Test
    void manyRowsAreToldApart() {
        Rows rows = new Rows();
        for (int i = 0; i < 1000; i++) {
            assertThat(rows.of(i % 10, i / 10)).isEqualTo(i);
        }
        assertThat(rows.of(3, 57)).isEqualTo(573);
        assertThat(rows.size()).isEqualTo(1000);
    }

    @Test
    void eachThreadHasRowsOfItsOwn() {
        SpareRows rows = new SpareRows(2, stages.log());
        rows.see(0, 10);
        rows.see(0, 11);
        rows.see(1, 10);
        rows.prepare();

        // 10 gets 12 and 13, then 11 gets 14 and 15; on another process 10 gets 11 and 12.
        assertThat(List.of(
                        rows.behind(0, 10),
                        rows.behind(0, 12),
                        rows.behind(0, 11),
                        rows.behind(0, 14),
                        rows.behind(1, 10)))
                .containsExactly(12L, 13L, 14L, 15L, 11L);
        assertThat(rows.behind(0, 13)).isEqualTo(16);
        rows.report();
        assertThat(stages.said()).singleElement().asString().endsWith("resolution (2): 1 further rows were made");
        assertThat(new SpareRows(-1, stages.log()).behind(0, 10)).isEqualTo(11);
    }

    @Test
    void threadsOfFlexAreNumberedFrom1000() {
        AiuEvent second = x("b", 0, 2, 1);
        second.tid = -1;
        second.wideTid = true;
        AiuEvent torch = x("c", 0, 3, 1);
        torch.job = StageEvents.TORCH;

        assertThat(stages.events(List.of(new MapThreads()), x("a", 0, 1, 1), second, torch, x("d", 0, 4, 1)))
                .extracting(e -> e.tid)
                .containsExactly(1000L, 1100L, 7L, 1000L);
        assertThat(second.wideTid).isFalse();
    }

    @Test
    void whatRanOnTheHostGetsOneRowButForWaits() {
        assertThat(stages.events(
                        List.of(new RecombineHost()),
                        x("a", 0, 1, 1),
                        x("AIU Roundtrip", 0, 1, 1),
                        counted(x("k", 0, 1, 1)),
                        phase('i', x("mark", 0, 1, 1))))
                .extracting(e -> e.tid)
                .containsExactly(1000L, 7L, 7L, 7L);
    }

    @Test
    void wideHostEventsAreDroppedByName() {
        assertThat(stages.through(
                        List.of(new DropGlobals()), x("HostPrep", 0, 1, 1), x("x Callback", 0, 1, 1), x("mm", 0, 1, 1)))
                .containsExactly("X mm 0 1.0+1.0");
    }

    @ParameterizedTest
    @CsvSource({"a_12_b, a b, 12", "a_12 b, a b, 12", "a_12-b_3_c, a b c, 12"})
    void numbersOfRequestsBecomeArguments(String name, String without, String id) {
        assertThat(stages.through(List.of(new RemoveIds()), x(name, 0, 1, 1)))
                .containsExactly("X " + without + " 0 1.0+1.0 {reqID=" + id + "}");
    }

    @Test
    void numbersThatAreNoRequestsStay() {
        assertThat(stages.through(List.of(new RemoveIds()), x("a_12", 0, 1, 1), x("Recv_1_2", 0, 1, 1)))
                .containsExactly("X a_12 0 1.0+1.0", "X Recv_1_2 0 1.0+1.0");
    }

    @ParameterizedTest
    @CsvSource({
        "mm_12 Cmpt Exec, mm Cmpt Exec",
        "a1b2c, abc",
        "convV2_3, convV2",
        "12mm, 12mm",
        "plain, plain",
        "x_1_2_3y, xy"
    })
    void namesLoseTheirNumbers(String name, String without) {
        assertThat(Refinement.withoutNumbers(new AiuName(name)).text()).isEqualTo(without);
    }

    @Test
    void anEventOfTheDeviceHasThreePhases() {
        // TS1 to TS5 at 0, 10, 20, 50, 54 us: in 10, computing 30, out 4, each less half of 1/560, rounded to 0.001.
        assertThat(stages.through(
                        List.of(new SplitPhases()),
                        mapped(x("job", 0, 0, 54), 0, 10, 20, 50, 54),
                        mapped(x("a Cmpt Exec", 0, 0, 54), 0, 10, 20, 50, 54),
                        mapped(x("b DmaO", 0, 0, 54), 0, 10, 20, 50, 50.001),
                        mapped(x("c Cmpt Prep", 0, 0, 54), 0, 10, 20, 50, 54),
                        x("host", 0, 3, 1)))
                .containsExactly(
                        "X job_DmaI 0 0.0+9.999",
                        "X job_Cmpt 0 20.0+29.999",
                        "X job_DmaO 0 50.0+3.999",
                        "X a Cmpt Exec 0 20.0+29.999",
                        "X b DmaO 0 50.0+0.0",
                        "X host 0 3.0+1.0");
    }

    @Test
    void countersThatDescendAreSaid() {
        stages.through(
                List.of(new SanityChecks()),
                counted(x("a", 0, 1, 1), 1, 2, 3, 4, 5),
                counted(x("b", 0, 1, 1), 1, 2, 3, 2, 1),
                counted(x("c", 0, 1, 1), 5, 5, 5, 5, 5));

        assertThat(stages.said())
                .containsExactly("WARNING SANITY: the counters TS1 to TS5 of 1 event(s) do not ascend");
    }

    private static AiuEvent torch(String name, String category, double ts, double dur, Object... args) {
        AiuEvent event = x(name, 0, ts, dur, args);
        event.job = StageEvents.TORCH;
        event.category = category;
        return event;
    }

    private static AiuEvent source(long id, double ts) {
        AiuEvent event = phase('s', torch("ac2g", "ac2g", ts, Double.NaN));
        event.other = Args.of("id", id);
        return event;
    }

    @Test
    void everyKernelOfALaunchGetsAnArrowAndTheLastOneAnotherToTheWait() {
        LaunchFlows flows = new LaunchFlows(true);

        assertThat(stages.through(
                        List.of(flows.collect(), new Barrier(), flows.create()),
                        torch("LaunchControlBlock", "cuda_runtime", 1, 2, "correlation", 5L),
                        source(5, 1),
                        torch("ScheduleWait", "cuda_runtime", 4, 46, "correlation", 5L),
                        torch("k1", "kernel", 10, 5, "correlation", 5L),
                        torch("k2", "kernel", 20, 5, "correlation", 5L)))
                .containsExactly(
                        "X LaunchControlBlock 0 1.0+2.0 {correlation=5}",
                        "s ac2g 0 1.0",
                        "X ScheduleWait 0 4.0+46.0 {correlation=5}",
                        "X k1 0 10.0+5.0 {correlation=5}",
                        "s ac2g 0 1.0",
                        "f ac2g 0 10.0",
                        "X k2 0 20.0+5.0 {correlation=5}",
                        "s ac2g 0 1.0",
                        "f ac2g 0 20.0",
                        "s ac2g 0 24.999",
                        "f ac2g 0 50.0");
    }

    @Test
    void kernelsThatEndBehindTheWaitAreLate() {
        LaunchFlows flows = new LaunchFlows(true);

        stages.through(
                List.of(flows.collect(), new Barrier(), flows.create()),
                torch("LaunchControlBlock", "cuda_runtime", 1, 2, "correlation", 5L),
                source(5, 1),
                torch("ScheduleWait", "cuda_runtime", 4, 10, "correlation", 5L),
                torch("k1", "kernel", 10, 50, "correlation", 5L));

        assertThat(stages.said()).containsExactly("WARNING FLOWS: Ignored 1 events with timestamp after schedule wait");
    }

    @Test
    void onlyPhasesThatAreKnownPassTheCheck() {
        PhaseCheck check = new PhaseCheck();

        stages.through(
                List.of(check.check(), check.drop()),
                x("a", 0, 1, 1),
                phase('i', x("b", 0, 1, 1)),
                phase('B', x("c", 0, 1, 1)));

        assertThat(stages.said())
                .containsExactly(
                        "INFO VRF: found types: {B=1, X=1, i=1}",
                        "ERROR VRF: Encountered 1 Events that failed verification");
    }
}
