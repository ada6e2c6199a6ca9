// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.piep;

import dev.lockstep.codec.Json.Text;
import dev.lockstep.kernels.KernelDialect.Choice;
import dev.lockstep.kernels.KernelDialect.Found;
import dev.lockstep.kernels.KernelList;
import dev.lockstep.kernels.KeyField;
import dev.lockstep.kernels.ListedKernels;
import dev.lockstep.kernels.UniqueKernels.Selection;
import dev.lockstep.model.Trace;
import dev.lockstep.write.SheetFileNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The files of piep's extractors: of the one that reads a trace, and of the one that reads launch parameters and lists of
 * what is computation.
 *
 * @param devices that count
 * @param fields what signatures hold beside the name or the bytes
 * @param exclude parts of names, in lower case, whose kernels are left out
 * @param prefix what names of files begin with
 */
record PiepExtract(List<String> devices, List<String> fields, List<String> exclude, String prefix) {
    /** As piep, unless options say otherwise; null for what is not given. */
    static PiepExtract of(Choice choice, boolean fromLists) {
        List<String> devices = choice.devices();
        List<String> fields = choice.fields();
        List<String> exclude = choice.exclude();
        return new PiepExtract(
                devices != null ? devices : fromLists ? List.of("0", "1") : List.of("0"),
                fields != null ? fields : PiepUnique.FIELDS,
                exclude != null
                        ? exclude.stream()
                                .map(e -> e.toLowerCase(java.util.Locale.ROOT))
                                .toList()
                        : PiepUnique.EXCLUDED,
                choice.prefix());
    }

    /**
     * Writes the files of a trace into a folder that exists.
     *
     * @param trace read with everything that its file says
     * @param name of the trace, as the user named it
     */
    Found write(Trace trace, String name, Path folder) throws IOException {
        PiepEvents events = new PiepEvents(trace, PiepEvents.COMMUNICATION_THRESHOLD);
        String parameters =
                prefix + SheetFileNames.of("kernel_launch_params_gpu" + String.join("_", devices), "", new TreeSet<>());
        PiepFiles.parameters(
                events, i -> true, folder.resolve(parameters + ".csv"), folder.resolve(parameters + ".jsonl"), null);
        Map<String, Map<String, long[]>> counts = PiepFiles.counts(
                events, IntStream.range(0, events.size()).boxed().toList());
        PiepFiles.writeCounts(counts, folder.resolve(prefix + "kernel_counts.csv"));
        Set<String> compute = new TreeSet<>();
        counts.forEach((place, names) -> {
            if (place.endsWith("\0compute")) {
                compute.addAll(names.keySet());
            }
        });
        PiepUnique unique = new PiepUnique(fields);
        for (int i = 0; i < events.size(); i++) {
            if (!devices.isEmpty() && !devices.contains(events.device(i))) {
                unique.deviceFiltered();
            } else if (!compute.contains(events.name(i)) || PiepUnique.excludes(events.name(i), exclude)) {
                unique.excluded();
            } else {
                unique.keep(events.name(i), events.device(i), events.arguments(i));
            }
        }
        return finish(unique, Map.of("trace", new Text(name), "device", new Text(String.join(",", devices))), folder);
    }

    /**
     * Writes the files of lists into a folder that exists.
     *
     * @param inputs launch parameters
     * @param computeLists lists that say which kernels are computation
     */
    Found write(List<Path> inputs, List<Path> computeLists, Path folder) throws IOException {
        Map<String, Set<String>> compute = ListedKernels.computeNames(
                computeLists, new Selection(EnumSet.noneOf(KeyField.class), Set.of(), exclude, null, 0));
        PiepUnique unique = new PiepUnique(fields);
        for (Path input : inputs) {
            KernelList.read(input, (entry, line) -> {
                if (!devices.isEmpty() && !devices.contains(entry.device())) {
                    unique.deviceFiltered();
                } else if (!compute.getOrDefault(entry.device(), Set.of()).contains(entry.name())) {
                    unique.excluded();
                } else {
                    unique.keep(entry.name(), entry.device(), entry.arguments());
                }
            });
        }
        return finish(
                unique,
                Map.of(
                        "inputs",
                                PiepUnique.texts(
                                        inputs.stream().map(Path::toString).toList()),
                        "compute_csvs",
                                PiepUnique.texts(computeLists.stream()
                                        .map(Path::toString)
                                        .toList()),
                        "devices", PiepUnique.texts(List.copyOf(new TreeSet<>(devices)))),
                folder);
    }

    private Found finish(PiepUnique unique, Map<String, dev.lockstep.codec.Json> inputs, Path folder)
            throws IOException {
        String stem = prefix + "unique_kernels_compute";
        unique.write(folder.resolve(stem + ".jsonl"), folder.resolve(stem + ".csv"));
        unique.writeSummary(new TreeMap<>(inputs), folder.resolve(stem + "_summary.json"));
        return new Found(unique.size(), unique.kept());
    }
}
