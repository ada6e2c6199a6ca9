// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Rank;
import dev.lockstep.model.TraceInfo;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostNamesTest {
    private static TraceInfo info(String source, Map<String, String> metadata) {
        return new TraceInfo(source, "kineto-json", new Rank(0, Rank.Origin.ORDER), -1, List.of(), 0, metadata);
    }

    private static List<String> ofFiles(String... sources) {
        return HostNames.of(
                Arrays.stream(sources).map(source -> info(source, Map.of())).toList());
    }

    @Test
    void theTraceItselfTellsItsHost() {
        assertThat(HostNames.of(List.of(
                        info("a.json", Map.of("hostname", "\"red\"")),
                        info("b.json", Map.of("distributedInfo", "{\"rank\": 1, \"hostname\": \"blue\"}")),
                        info("c.json", Map.of("node", "{\"id\":0,\"hostname\":\"green\"}")),
                        info("d.json", Map.of()))))
                .containsExactly("\"red\"", "blue", "green", null);
    }

    /** A trace of ten thousand ranks lists the members of all groups; what outlives the trace does not hold them. */
    @Test
    void whatTellsTheHostIsKeptAlone() {
        String groups = "{\"rank\": 1, \"hostname\": \"blue\", \"pg_config\": \"" + "0, ".repeat(100_000) + "\"}";
        List<TraceInfo> kept = List.of(
                HostNames.alone(info("a.json", Map.of("hostname", "\"red\"", "deviceProperties", "[]"))),
                HostNames.alone(info("b.json", Map.of("distributedInfo", groups))));
        assertThat(HostNames.of(kept)).containsExactly("\"red\"", "blue");
        assertThat(kept.get(1).metadata().get("distributedInfo")).isEqualTo("\"hostname\": \"blue\"");
        assertThat(kept.get(0).metadata()).containsOnlyKeys("hostname");
    }

    @Test
    void filesOfPyTorchsHandlerBeginWithTheHost() {
        assertThat(ofFiles(
                        "run/ip-10-0-0-1_4711.1694128201545123456.pt.trace.json.gz",
                        "run/worker0_step_12.1694128201545.pt.trace.json.gz",
                        "run/rank3_4711.1694128201545.pt.trace.json"))
                .containsExactly("ip-10-0-0-1", null, null);
    }

    @Test
    void directoriesTellHostsOnlyIfThereAreSeveral() {
        assertThat(ofFiles("run/node0/rank0.json", "run/node1/rank1.json")).containsExactly("node0", "node1");
        assertThat(ofFiles("node8/rank0.json", "node8/rank1.json")).containsExactly(null, null);
    }
}
