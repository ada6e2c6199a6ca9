// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.piep;

import dev.lockstep.dialect.Dialect;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.kernels.KernelCategories;
import dev.lockstep.kernels.KernelDialect;
import dev.lockstep.model.Trace;
import dev.lockstep.publish.plot.PictureWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The kernel profiling and replay project piep: its lists, charts and results. */
public final class Piep implements Dialect {
    @Override
    public String name() {
        return "piep";
    }

    @Override
    public List<Object> parts() {
        return List.of(new PiepKernels(), new PiepResults());
    }

    private record PiepKernels() implements KernelDialect {
        @Override
        public KernelCategories categories() {
            return PiepCategories.rules();
        }

        @Override
        public Found extract(Choice choice, Trace trace, String name, Path folder) throws IOException {
            return PiepExtract.of(choice, false).write(trace, name, folder);
        }

        @Override
        public Found extract(Choice choice, List<Path> lists, List<Path> computeLists, Path folder) throws IOException {
            return PiepExtract.of(choice, true).write(lists, computeLists, folder);
        }

        @Override
        public void signatures(Choice choice, Path unique, @Nullable Path shapes, Path folder) throws IOException {
            PiepSignatures.write(unique, shapes, folder.resolve(choice.prefix() + "kernel_signatures.json"));
        }

        @Override
        public int charts(Charted what, Trace trace, int rank, Path folder) throws IOException {
            List<PiepGantt.Device> devices = new PiepGantt(what.most(), what.threshold()).write(trace, rank, folder);
            for (PiepGantt.Device device : devices) {
                NamedFiles.write(
                        folder.resolve("kernels_gantt_rank" + rank + device.name() + ".png"),
                        PictureWriter.png(PiepGanttFigure.of(device)));
            }
            return devices.size();
        }
    }
}
