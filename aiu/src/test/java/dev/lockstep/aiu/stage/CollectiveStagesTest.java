// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.Stage;
import dev.lockstep.aiu.pipeline.StageChain;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CollectiveStagesTest {
    private static final String GROUP = "AllReduce_all_reduce_1";

    private final List<String> lines = new ArrayList<>();
    private final AiuLog log = new AiuLog(AiuLog.Level.INFO, (level, line) -> lines.add(line));

    private static AiuEvent x(String name, long pid, double ts, double dur, String... args) {
        AiuEvent event = new AiuEvent('X', new AiuName(name));
        event.ts = ts;
        event.dur = dur;
        event.pid = pid;
        event.hasPid = true;
        for (int i = 0; i < args.length; i += 2) {
            event.put(args[i], args[i + 1]);
        }
        return event;
    }

    /** What leaves the stages, as phase, name, process, time, and value or number. */
    private List<String> through(List<Stage> stages, AiuEvent... events) {
        List<String> out = new ArrayList<>();
        StageChain pipeline = new StageChain(stages, event -> out.add(spelled(event)));
        for (AiuEvent event : events) {
            pipeline.accept(event);
        }
        pipeline.finish(log);
        return out;
    }

    /** What bandwidths there are of an all-reduce from 100 to 140 us, of 4,000 bytes, and what comes behind it. */
    private List<String> behindAReduce(AiuEvent... events) {
        List<AiuEvent> all = new ArrayList<>(List.of(
                x("k Cmpt Exec", 0, 0, 100),
                x("SenRdmaSend_1", 0, 110, 10, "CollGroup", GROUP, "bytes", "4000"),
                x("SenRdmaRecv_1", 1, 110, 20, "CollGroup", GROUP),
                x("SenRdmaRecv_2", 0, 120, 20, "CollGroup", GROUP)));
        all.addAll(List.of(events));
        return through(List.of(new ReduceBandwidth()), all.toArray(AiuEvent[]::new));
    }

    private static String spelled(AiuEvent event) {
        String value = "";
        if (event.phase == 'C' && event.args != null) {
            value = " " + event.args.value(0);
        } else if (event.other != null && event.other.has("id")) {
            value = " " + event.other.get("id");
        }
        return event.phase + " " + event.name + " " + event.pid + " " + event.ts + value;
    }

    @Test
    void anAllReduceReachesFromWhatEndedBeforeToItsLastTransfer() {
        // 4,000 bytes in the 40 us from the end of the kernel to that of the last receive.
        List<String> out = behindAReduce(x("k Cmpt Exec", 1, 150, 10));

        assertThat(out)
                .contains("C BW allreduce -1 100.0 0.1", "C BW allreduce -1 140.0 0")
                .contains("C BW all-pcie -1 100.0 0.2", "C BW all-pcie -1 140.0 0");
    }

    /** A kernel ends at 100; 4,000 bytes until 140 and 8,000 from there until 180, and nothing computes behind them. */
    @Test
    void eachAllReduceEndsWithItsOwnLastTransfer() {
        String second = "AllReduce_all_reduce_2";

        List<String> out = behindAReduce(
                x("SenRdmaSend_3", 0, 140, 20, "CollGroup", second, "bytes", "8000"),
                x("SenRdmaRecv_3", 1, 140, 30, "CollGroup", second),
                x("SenRdmaRecv_4", 0, 140, 40, "CollGroup", second),
                x("host", 1, 90, 15),
                x("host", 1, 90, 900));

        assertThat(out)
                .contains("C BW allreduce -1 100.0 0.1", "C BW allreduce -1 140.0 0")
                .contains("C BW allreduce -1 140.0 0.2", "C BW allreduce -1 180.0 0");
    }

    @Test
    void withoutCollectivesThereIsNoBandwidth() {
        assertThat(through(List.of(new ReduceBandwidth()), x("k Cmpt Exec", 0, 0, 100)))
                .hasSize(1);
    }

    @Test
    void aCollectiveMovesItsDataFromItsFirstBeginToItsLastEnd() {
        AiuEvent first = x("G_1", 0, 10, 10);
        AiuEvent second = x("G_1", 1, 12, 18);
        first.put("Coll_data_size", 8000L);
        second.put("Coll_data_size", 8000L);

        List<String> out = through(List.of(new CollectiveBandwidth(log)), first, second);

        assertThat(out).contains("C Coll_Bandwidth -1 10.0 0.4", "C Coll_Bandwidth -1 30.0 0.0");
    }

    private static AiuEvent send(long from, long to, double ts, double dur) {
        return x(
                "SenRdmaSend_1 [sync=s" + from + "] DmaO",
                from,
                ts,
                dur,
                "CollGroup",
                GROUP,
                "Type",
                "SingleCast",
                "Peer",
                "" + to);
    }

    private static AiuEvent receive(long from, long at, double ts, double dur) {
        return x(
                "SenRdmaRecv_1 [sync=s" + from + "] DmaI",
                at,
                ts,
                dur,
                "CollGroup",
                GROUP,
                "Type",
                "WDone Barrier",
                "Peer",
                "" + from);
    }

    @Test
    void eachSendIsConnectedWithItsReceive() {
        AiuOptions options = AiuOptions.of("");

        List<String> out = through(
                List.of(new PrepareFlows(true), new ExtractFlows(options, log), new Cleanup.Flows()),
                send(0, 1, 10, 10),
                receive(0, 1, 10, 15),
                send(1, 0, 30, 10),
                receive(1, 0, 30, 15));

        assertThat(out)
                .contains("s s0 0 10.0 1000001", "f s0 1 24.999 1000001")
                .contains("s s1 1 30.0 1000002", "f s1 0 44.999 1000002");
    }

    @Test
    void aCollectiveThatLacksAReceiveHasNoArrows() {
        List<String> out = through(
                List.of(new PrepareFlows(true), new ExtractFlows(AiuOptions.of(""), log), new Cleanup.Flows()),
                send(0, 1, 10, 10),
                receive(0, 1, 10, 15),
                send(1, 0, 30, 10));

        assertThat(out).hasSize(3);
        assertThat(lines).anyMatch(line -> line.contains("Incomplete flow groups dropped = 1"));
    }
}
