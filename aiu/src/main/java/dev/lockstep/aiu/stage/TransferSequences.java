// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.AiuRules;
import dev.lockstep.aiu.pipeline.Job;
import dev.lockstep.aiu.pipeline.Stage;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code communication_event_collection} and {@code communication_event_apply}: the steps of a transfer, which share a
 * number in their names, become one event from the start of the first to the end of the last.
 */
final class TransferSequences {
    private static final Pattern NUMBER = Pattern.compile("[_-]([0-9]+)");

    private record Key(@Nullable Job job, String number, long pid) {}

    private static final class Sequence {
        int events;
        double start = Double.POSITIVE_INFINITY;
        double end = Double.NEGATIVE_INFINITY;
        String prefix = "";
        int step;
        final TreeSet<Long> peers = new TreeSet<>();
    }

    private final AiuRules.Transfers rules;
    private final Map<AiuName, String> numbers = new HashMap<>();
    private final Map<Key, Sequence> sequences = new HashMap<>();

    TransferSequences(AiuRules.Transfers rules) {
        this.rules = rules;
    }

    Stage collect() {
        return new Stage() {
            @Override
            public String name() {
                return "communication_event_collection";
            }

            @Override
            public void accept(AiuEvent event, Next next) {
                Key key = key(event);
                if (key != null) {
                    add(event, sequences.computeIfAbsent(key, k -> new Sequence()));
                }
                next.accept(event);
            }
        };
    }

    Stage apply() {
        return new Stage() {
            @Override
            public String name() {
                return "communication_event_apply";
            }

            @Override
            public void accept(AiuEvent event, Next next) {
                Key key = key(event);
                Sequence sequence = key == null ? null : sequences.get(key);
                if (sequence == null) {
                    next.accept(event);
                } else if (--sequence.events == 0) {
                    sequences.remove(key);
                    merge(event, sequence);
                    next.accept(event);
                }
            }
        };
    }

    private @Nullable Key key(AiuEvent event) {
        if (!event.isComplete()) {
            return null;
        }
        String number = numbers.computeIfAbsent(event.name, TransferSequences::number);
        return number.isEmpty() ? null : new Key(event.job, number, rules.ofOneProcess() ? event.pid : 0);
    }

    private static String number(AiuName name) {
        Matcher number = NUMBER.matcher(name.text());
        return name.contains("SenRdma") && number.find() ? number.group(1) : "";
    }

    private static void add(AiuEvent event, Sequence sequence) {
        String name = event.name.text();
        sequence.prefix = sequence.events == 0 ? name : common(sequence.prefix, name);
        sequence.step = sequence.events == 0 || sequence.step == event.name.lastStep()
                ? event.name.lastStep()
                : AiuName.NO_STEP;
        sequence.events++;
        sequence.start = Math.min(sequence.start, event.ts);
        sequence.end = Math.max(sequence.end, event.end());
        String peer = event.args == null ? null : event.args.text("Peer");
        if (peer != null) {
            for (String each : peer.split(",")) {
                if (each.strip().matches("[0-9]{1,9}")) {
                    sequence.peers.add(Long.parseLong(each.strip()));
                }
            }
        }
    }

    private static String common(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            if (a.charAt(i) != b.charAt(i)) {
                return a.substring(0, i);
            }
        }
        return a.substring(0, length);
    }

    private void merge(AiuEvent event, Sequence sequence) {
        String name = rules.name().of(sequence.prefix, sequence.step);
        if (!name.equals(event.name.text())) {
            event.name = new AiuName(name);
        }
        event.ts = sequence.start;
        event.dur = sequence.end - sequence.start;
        event.put("Peers", sequence.peers.stream().map(Object::toString).toList());
    }
}
