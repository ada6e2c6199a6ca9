// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.goal;

import dev.lockstep.goal.nccl.Collective;
import dev.lockstep.goal.nccl.KernelNames;
import dev.lockstep.goal.nccl.Notes;
import dev.lockstep.goal.nccl.RecordedCall;
import dev.lockstep.goal.nccl.RecordedKernel;
import dev.lockstep.goal.nccl.RecordedProcess;
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

    private final RecordedProcess process;
    private final Notes notes;

    ReferenceKernels(RecordedProcess process, Notes notes) {
        this.process = process;
        this.notes = notes;
    }

    void match() {
        List<RecordedCall> calls = process.calls();
        List<RecordedKernel> kernels = process.kernels();
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
        Map<Integer, RecordedCall> first = new HashMap<>();
        for (RecordedCall call : calls) {
            if (call.group() >= 0) {
                RecordedCall leader = first.putIfAbsent(call.group(), call);
                if (leader != null && leader.deviceEnd() >= 0) {
                    call.device(leader.deviceEnd(), leader.deviceEnd());
                }
            }
        }
    }

    private boolean inWindow(long start, long end) {
        return start < process.windowEnd() && end > process.windowStart();
    }

    private static List<RecordedCall> firsts(List<RecordedCall> calls) {
        List<RecordedCall> firsts = new ArrayList<>();
        int group = -1;
        for (RecordedCall call : calls) {
            if (call.group() < 0 || call.group() > group) {
                firsts.add(call);
                group = Math.max(group, call.group());
            }
        }
        return firsts;
    }

    private static boolean pair(List<RecordedCall> calls, List<RecordedKernel> kernels) {
        List<Stream<RecordedCall>> host =
                streams(calls, RecordedCall::stream, call -> letter(call.kind()), RecordedCall::start);
        List<Stream<RecordedKernel>> device =
                streams(kernels, RecordedKernel::stream, kernel -> letter(kernel.name()), RecordedKernel::start);
        List<Stream<RecordedCall>> partners = new ArrayList<>();
        for (Stream<RecordedKernel> kernelStream : device) {
            Stream<RecordedCall> partner = host.stream()
                    .filter(stream -> stream.word.equals(kernelStream.word) && !partners.contains(stream))
                    .findFirst()
                    .orElse(null);
            if (partner == null) {
                return false;
            }
            partners.add(partner);
        }
        for (int i = 0; i < device.size(); i++) {
            List<RecordedKernel> parts = device.get(i).parts;
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

    private void byTime(List<RecordedCall> calls) {
        notes.assumed("kernel_by_time", "process " + process.pid() + ": kernels were given to calls by time alone");
        int next = 0;
        for (RecordedKernel kernel : process.kernels()) {
            while (next < calls.size() && calls.get(next).start() <= kernel.start()) {
                next++;
            }
            if (next > 0) {
                RecordedCall call = calls.get(next - 1);
                call.device(
                        call.deviceStart() < 0 ? kernel.start() : Math.min(call.deviceStart(), kernel.start()),
                        Math.max(call.deviceEnd(), kernel.end()));
            }
        }
    }

    private static String letter(String kernel) {
        String word = KernelNames.collective(kernel);
        Collective kind = Collective.named(word);
        return word.equals("SendRecv") ? "E" : kind == null ? "?" : letter(kind);
    }

    private static String letter(Collective kind) {
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
