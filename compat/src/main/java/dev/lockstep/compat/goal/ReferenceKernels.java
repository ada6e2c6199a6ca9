// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.goal;

import dev.lockstep.goal.nccl.NcclCall;
import dev.lockstep.goal.nccl.NcclKernelNames;
import dev.lockstep.goal.nccl.NcclProcess;
import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.RecordingNotes;
import dev.lockstep.read.nsys.NsysKernel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Which kernel is whose, as the reference finds out: streams of kernels and of calls whose letters spell the same word
 * belong together, and there the k-th kernel is that of the k-th call. Of a group only the first call counts; the others
 * get the group's end for beginning and end.
 */
final class ReferenceKernels {
    private record Stream<T>(String word, long start, List<T> parts) {}

    private final NcclProcess process;
    private final RecordingNotes notes;

    ReferenceKernels(NcclProcess process, RecordingNotes notes) {
        this.process = process;
        this.notes = notes;
    }

    void match() {
        List<NcclCall> calls = process.calls();
        List<NsysKernel> kernels = process.kernels();
        if (kernels.isEmpty()) {
            notes.assumed(
                    "kernel_missing", "process " + process.pid() + ": no kernels; the times of calls stand for them");
            calls.forEach(call -> call.device(call.start(), call.end()));
            return;
        }
        boolean matched = process.windowStart() >= 0
                        && process.windowEnd() >= 0
                        && pair(
                                firsts(calls.stream()
                                        .filter(c -> inWindow(c.start(), c.end()))
                                        .toList()),
                                kernels.stream()
                                        .filter(k -> inWindow(k.start(), k.end()))
                                        .toList())
                || pair(firsts(calls), kernels);
        if (!matched) {
            byTime(firsts(calls));
        }
        Map<Integer, NcclCall> first = new HashMap<>();
        for (NcclCall call : calls) {
            if (call.group() >= 0) {
                NcclCall leader = first.putIfAbsent(call.group(), call);
                if (leader != null && leader.deviceEnd() >= 0) {
                    call.device(leader.deviceEnd(), leader.deviceEnd());
                }
            }
        }
    }

    private boolean inWindow(long start, long end) {
        return start < process.windowEnd() && end > process.windowStart();
    }

    private static List<NcclCall> firsts(List<NcclCall> calls) {
        List<NcclCall> firsts = new ArrayList<>();
        int group = -1;
        for (NcclCall call : calls) {
            if (call.group() < 0 || call.group() > group) {
                firsts.add(call);
                group = Math.max(group, call.group());
            }
        }
        return firsts;
    }

    private static boolean pair(List<NcclCall> calls, List<NsysKernel> kernels) {
        List<Stream<NcclCall>> host = streams(calls, NcclCall::stream, call -> letter(call.kind()), NcclCall::start);
        List<Stream<NsysKernel>> device =
                streams(kernels, NsysKernel::stream, kernel -> letter(kernel.name()), NsysKernel::start);
        List<Stream<NcclCall>> partners = new ArrayList<>();
        for (Stream<NsysKernel> kernelStream : device) {
            Stream<NcclCall> partner = host.stream()
                    .filter(stream -> stream.word.equals(kernelStream.word) && !partners.contains(stream))
                    .findFirst()
                    .orElse(null);
            if (partner == null) {
                return false;
            }
            partners.add(partner);
        }
        for (int i = 0; i < device.size(); i++) {
            List<NsysKernel> parts = device.get(i).parts;
            for (int k = 0; k < parts.size(); k++) {
                partners.get(i)
                        .parts
                        .get(k)
                        .device(parts.get(k).start(), parts.get(k).end());
            }
        }
        return true;
    }

    private static <T, K> List<Stream<T>> streams(
            List<T> parts, Function<T, K> key, Function<T, String> letter, ToLongFunction<T> start) {
        Map<K, List<T>> byKey = new LinkedHashMap<>();
        parts.forEach(part ->
                byKey.computeIfAbsent(key.apply(part), k -> new ArrayList<>()).add(part));
        List<Stream<T>> streams = new ArrayList<>();
        byKey.values().forEach(list -> {
            StringBuilder word = new StringBuilder();
            list.forEach(part -> word.append(letter.apply(part)));
            streams.add(new Stream<>(word.toString(), start.applyAsLong(list.getFirst()), list));
        });
        streams.sort(Comparator.comparingLong(Stream::start));
        return streams;
    }

    private void byTime(List<NcclCall> calls) {
        notes.assumed("kernel_by_time", "process " + process.pid() + ": kernels were given to calls by time alone");
        int next = 0;
        for (NsysKernel kernel : process.kernels()) {
            while (next < calls.size() && calls.get(next).start() <= kernel.start()) {
                next++;
            }
            if (next > 0) {
                NcclCall call = calls.get(next - 1);
                call.device(
                        call.deviceStart() < 0 ? kernel.start() : Math.min(call.deviceStart(), kernel.start()),
                        Math.max(call.deviceEnd(), kernel.end()));
            }
        }
    }

    private static String letter(String kernel) {
        String word = NcclKernelNames.collective(kernel);
        NcclFunction kind = NcclFunction.named(word);
        return word.equals("SendRecv") ? "E" : kind == null ? "?" : letter(kind);
    }

    private static String letter(NcclFunction kind) {
        return switch (kind) {
            case ALL_GATHER -> "A";
            case ALL_REDUCE -> "B";
            case BROADCAST -> "C";
            case REDUCE_SCATTER -> "D";
            case REDUCE -> "R";
            default -> "E";
        };
    }
}
