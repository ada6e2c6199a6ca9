// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A format of files that hold traces, as people meet it. Readers and writers say which one is theirs; names of files,
 * hints, sizes and documents follow from it.
 *
 * @param id stable word for the format: {@link TraceInfo#format()}, and what {@code info} prints
 * @param title what people call it
 * @param endings of names of files, in lower case, with their dots and without those of packings; the usual one first
 * @param packable whether files may be packed as a whole
 * @param expansion unpacked bytes that a byte of a file stands for: 1, but where a format packs what is in it
 * @param hint what to do about such a file that cannot be read: where to get a sound one
 */
public record TraceFormat(String id, String title, List<String> endings, boolean packable, int expansion, String hint) {
    /** What to do where an input needs more memory than there is. */
    public static final String MORE_MEMORY =
            "If it is what you think it is, LOCKSTEP_HEAP gives it more: LOCKSTEP_HEAP=8g";

    /** Traces of PyTorch's profiler, and whatever else is in Chrome's JSON. */
    public static final TraceFormat KINETO = json(
            "kineto-json", "Kineto JSON", "Give the JSON file that the profiler exported, plain or packed with gzip.");

    public static final TraceFormat ROCPROF = json(
            "rocprofv3-json",
            "rocprofv3 JSON",
            "Give the file that rocprofv3 --output-format json wrote, plain or packed with gzip.");

    /** What the first rocprof wrote. */
    public static final TraceFormat ROCPROF_V1 = json(
            "rocprof-json",
            "rocprof JSON",
            "Give the results.json that rocprof --hip-trace wrote, plain or packed with gzip.");

    /** Events of the runtime of IBM's AIU. */
    public static final TraceFormat FLEX = json(
            "flex-json", "FLEX JSON", "Give the JSON file that FLEX or lockstep aiu wrote, plain or packed with gzip.");

    /** What is written for Perfetto, chrome://tracing and other tools, and what other recorders write; read as {@link #KINETO}. */
    public static final TraceFormat CHROME = json("chrome-json", "Chrome JSON", KINETO.hint());

    /** Packets may be packed inside of the file; those of this program are. */
    public static final TraceFormat PERFETTO = new TraceFormat(
            "perfetto",
            "Perfetto",
            List.of(".pftrace", ".perfetto-trace"),
            true,
            16,
            "Give the file as it was recorded, plain or packed with gzip.");

    /** Profiles of XLA, as JAX and TensorFlow write them. */
    public static final TraceFormat XPLANE = new TraceFormat(
            "xplane",
            "XPlane",
            List.of(".xplane.pb"),
            true,
            4,
            "Give the file that jax.profiler wrote, plugins/profile/RUN/HOST.xplane.pb, plain or packed with gzip.");

    /** What simulators of networks replay. */
    public static final TraceFormat CHAKRA = new TraceFormat(
            "chakra",
            "Execution traces of Chakra",
            List.of(".et", ".json"),
            true,
            1,
            "Give the .et or JSON file of one rank as it was written, plain or packed with gzip.");

    /** Pickles of plain data: the history of PyTorch's allocator of device memory. */
    public static final TraceFormat SNAPSHOT = new TraceFormat(
            "memory-snapshot",
            "Memory snapshots of PyTorch",
            List.of(".pickle", ".pkl"),
            true,
            6,
            "Give the file that torch.cuda.memory._dump_snapshot wrote, plain or packed with gzip.");

    /** Bytes by category over time, as PyTorch's profiler exported them. */
    public static final TraceFormat MEMORY_TIMELINE = json(
            "memory-timeline",
            "Memory timelines of PyTorch",
            "Give the JSON file that export_memory_timeline wrote, plain or packed with gzip.");

    /** Copies the list. */
    public TraceFormat {
        endings = List.copyOf(endings);
    }

    private static TraceFormat json(String id, String title, String hint) {
        return new TraceFormat(id, title, List.of(".json"), true, 1, hint);
    }

    /**
     * {@return whether this is the id of a list of events in JSON, by PyTorch's profiler or by another recorder}
     *
     * @param id as in {@link TraceInfo#format()}
     */
    public static boolean isEventList(String id) {
        return id.equals(KINETO.id) || id.equals(CHROME.id);
    }

    /** {@return endings of all files of this format that names tell: plain ones, packed ones, archives} */
    public List<String> allEndings() {
        List<String> all = new ArrayList<>();
        for (String ending : endings) {
            all.add(ending);
            if (packable) {
                all.add(ending + Packing.GZIP.ending());
                all.add(ending + Packing.ZSTD.ending());
            }
        }
        if (packable) {
            all.add(Packing.ZIP.ending());
        }
        return List.copyOf(all);
    }

    /**
     * {@return whether a file of this name may hold this format} Archives may hold any that can be packed.
     *
     * @param name name of a file
     */
    public boolean mayBe(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return allEndings().stream().anyMatch(lower::endsWith);
    }

    /**
     * {@return the name without the ending that {@link #mayBe} found, packing included; as it is where there is none}
     *
     * @param name name of a file
     */
    public String withoutEnding(String name) {
        String plain =
                packable ? Packing.ZIP.removedFrom(Packing.ZSTD.removedFrom(Packing.GZIP.removedFrom(name))) : name;
        String lower = plain.toLowerCase(Locale.ROOT);
        for (String ending : endings) {
            if (lower.endsWith(ending)) {
                return plain.substring(0, plain.length() - ending.length());
            }
        }
        return name;
    }
}
