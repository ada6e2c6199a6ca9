// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.hangs.BeforeHang.Doing;
import dev.lockstep.hangs.BeforeHang.State;
import dev.lockstep.read.TraceInput;
import dev.lockstep.session.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BeforeHangTest {
    private static final long ORIGIN = 1_790_000_000_000_000_000L;

    @TempDir
    private Path folder;

    private static String slice(String category, String name, String track, long us, long dur, long correlation) {
        return String.format(
                Locale.ROOT,
                "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":%s,\"tid\":%s,\"ts\":%d,\"dur\":%d,"
                        + "\"args\":{\"correlation\":%d}}",
                category,
                name,
                category.equals("kernel") ? "0" : "9",
                track,
                us,
                dur,
                correlation);
    }

    private BeforeHang before(long lastCallUs, String... slices) throws IOException {
        Path file = Files.writeString(
                folder.resolve("rank3.json"),
                "{\"schemaVersion\":1,\"baseTimeNanoseconds\":" + ORIGIN + ",\"traceEvents\":["
                        + String.join(",", slices) + "]}");
        try (Session session = new Session(1)) {
            long at = lastCallUs < 0 ? -1 : ORIGIN + 1000 * lastCallUs;
            return BeforeHang.of(session.readOne(TraceInput.of(file), -1, bytes -> {}), 3, at);
        }
    }

    @Test
    void whatContainsTheLastCallIsRunning() throws IOException {
        BeforeHang found = before(
                500,
                slice("cpu_op", "step", "1", 100, 900, 0),
                slice("cpu_op", "aten::item", "1", 400, 300, 0),
                slice("cpu_op", "earlier", "1", 200, 50, 0),
                slice("kernel", "gemm", "7", 300, 100, 4),
                slice("kernel", "endless", "7", 450, 500, 5));
        assertThat(found.isInside()).isTrue();
        assertThat(found.doings())
                .extracting(Doing::name, Doing::state, Doing::startNs)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("step", State.RUNNING, -400_000L),
                        org.assertj.core.groups.Tuple.tuple("aten::item", State.RUNNING, -100_000L),
                        org.assertj.core.groups.Tuple.tuple("gemm", State.DONE, -200_000L),
                        org.assertj.core.groups.Tuple.tuple("endless", State.RUNNING, -50_000L));
        assertThat(found.sentence()).isEqualTo("At its last call, the GPU of rank 3 still ran endless, for 0.0500 ms.");
    }

    @Test
    void launchesBehindTheLastKernelThatRanAreNotFinished() throws IOException {
        BeforeHang found = before(
                900,
                slice("cpu_op", "aten::mm", "1", 100, 100, 0),
                slice("cuda_runtime", "cudaLaunchKernel", "1", 150, 10, 4),
                slice("kernel", "gemm", "7", 300, 100, 4),
                slice("cpu_op", "aten::add", "1", 500, 100, 0),
                slice("cuda_runtime", "cudaLaunchKernel", "1", 550, 10, 5),
                slice("cuda_runtime", "cudaLaunchKernel", "1", 700, 10, 6));
        assertThat(found.doings().stream().filter(one -> one.state() == State.NOT_FINISHED))
                .extracting(Doing::name)
                .containsExactly("cudaLaunchKernel of aten::add", "cudaLaunchKernel");
        assertThat(found.sentence()).contains("had launched work that never ended: cudaLaunchKernel of aten::add");
    }

    @Test
    void aTraceThatEndsBeforeIsLookedAtFromItsEnd() throws IOException {
        for (long call : List.of(-1L, 10_000_000_000L)) {
            BeforeHang found = before(call, slice("cpu_op", "load", "1", 100, 300, 0));
            assertThat(found.isInside()).isFalse();
            assertThat(found.sentence()).isEqualTo("At the end of its trace, the CPU of rank 3 had ended load.");
        }
    }
}
