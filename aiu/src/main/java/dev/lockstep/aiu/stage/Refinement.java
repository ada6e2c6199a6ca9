// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.AiuRules;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.ByProcess;
import dev.lockstep.aiu.pipeline.Stage;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code tb_refinement_intrusive} and {@code tb_refinement_lightweight}: names without numbers, categories that viewers
 * know, and names for devices and hosts.
 */
final class Refinement {
    private static final long HOST = 1000;
    private static final String COLLECTIVE = "AllReduce_all_reduce";

    private static final class Rank {
        double device = Double.NaN;
        double host = Double.NaN;
    }

    private final boolean keepNames;
    private final AiuRules.Labels rules;
    private final Map<AiuName, AiuName> refined = new HashMap<>();
    private final ByProcess<Rank> ranks = new ByProcess<>(Rank::new);
    private final Map<AiuName, String> categories = new HashMap<>();
    private boolean collectives;
    private boolean described;

    Refinement(boolean keepNames, AiuRules.Labels rules) {
        this.keepNames = keepNames;
        this.rules = rules;
    }

    Stage intrusive() {
        return new Stage() {
            @Override
            public String name() {
                return "tb_refinement_intrusive";
            }

            @Override
            public void accept(AiuEvent event, Next next) {
                if (event.isComplete() && !keepNames && event.isAccelerator()) {
                    AiuName name = refined.computeIfAbsent(event.name, Refinement::withoutNumbers);
                    if (name != event.name) {
                        event.put("orig_name", event.name.text());
                        event.name = name;
                    }
                }
                next.accept(event);
            }

            @Override
            public void drain(Next next) {
                describe(next);
            }
        };
    }

    Stage lightweight() {
        return new Stage() {
            @Override
            public String name() {
                return "tb_refinement_lightweight";
            }

            @Override
            public void accept(AiuEvent event, Next next) {
                if (event.isComplete()) {
                    refine(event);
                } else if (event.phase == 'C' && event.name.text().equals("BW allreduce")) {
                    collectives = true;
                }
                next.accept(event);
            }

            @Override
            public void drain(Next next) {
                describe(next);
            }
        };
    }

    /** Each number that follows other text goes, with a line before it; numbers behind a V stay. */
    static AiuName withoutNumbers(AiuName name) {
        String given = name.text();
        StringBuilder text = new StringBuilder();
        int last = 0;
        for (int from = digitsEnd(given, 0); from < given.length(); from = last) {
            int number = from;
            while (number < given.length() && !isDigit(given.charAt(number))) {
                number++;
            }
            int end = digitsEnd(given, number);
            if (end == number) {
                break;
            }
            char before = given.charAt(number - 1);
            text.append(given, from, before == '_' ? number - 1 : number);
            text.append(given, before == 'V' ? number : end, end);
            last = end;
        }
        return last == 0
                ? name
                : new AiuName(text.append(given, last, given.length()).toString());
    }

    private static int digitsEnd(String text, int from) {
        int at = from;
        while (at < text.length() && isDigit(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private void refine(AiuEvent event) {
        if (event.isTorch()) {
            restore(event);
            return;
        }
        Rank rank = ranks.of(event.pid);
        if (event.device != null) {
            event.category = categories.computeIfAbsent(event.name, Refinement::category);
            event.namesDevice = true;
            rank.device = Double.isNaN(rank.device) ? event.ts : rank.device;
            return;
        }
        rank.host = Double.isNaN(rank.host) ? event.ts : rank.host;
        if (event.args != null && event.args.has("Coll_data_size") && event.name.contains(COLLECTIVE)) {
            asCollective(event, event.args);
        } else if (event.category == null) {
            event.category = "cpu_op";
        }
        event.pid += HOST;
    }

    private static void asCollective(AiuEvent event, Args args) {
        event.category = event.category == null ? "user_annotation" : event.category;
        String name = event.name.text();
        args.put("orig_name", name);
        event.name = new AiuName("gloo:all_reduce");
        Matcher number = Pattern.compile("_([0-9]+)").matcher(name);
        if (number.find()) {
            args.put("external id", number.group(1));
        }
    }

    /** Processes and threads that were texts are texts again. */
    private static void restore(AiuEvent event) {
        restore(event, "opid", "pid");
        restore(event, "otid", "tid");
    }

    private static void restore(AiuEvent event, String kept, String member) {
        Object text = event.remove(kept);
        if (text != null) {
            event.other = event.other == null ? new Args() : event.other;
            event.other.put(member, text);
        }
    }

    private static String category(AiuName name) {
        if (name.contains("DmaI") || name.contains("DmaO")) {
            return name.contains("Rdma") ? "user_annotation" : "gpu_memcpy";
        }
        return name.contains(COLLECTIVE) && name.contains("Cmpt Exec") ? "user_annotation" : "kernel";
    }

    /** Metadata: what the processes are called, and in which order they stand. */
    private void describe(Stage.Next next) {
        if (described) {
            return;
        }
        described = true;
        ranks.forEachByNumber((pid, rank) -> {
            describe(next, new NamedProcess(pid, rank.device, "AIU Device" + pid, "acc_default", 3 * pid + 1));
            describe(next, new NamedProcess(pid + HOST, rank.host, "Host" + pid, "cpu_default", 3 * pid));
        });
        if (collectives) {
            next.accept(metadata("process_name", -1, 0, Args.of("name", "CollectiveBW")));
            next.accept(metadata("process_sort_index", -1, 0, Args.of("sort_index", 0L)));
        }
    }

    /**
     * A process to be named.
     *
     * @param ts of its first event; NaN when it has none
     * @param absent its name when it has none
     * @param order its place among all
     */
    private record NamedProcess(long pid, double ts, String name, String absent, long order) {}

    private void describe(Stage.Next next, NamedProcess of) {
        boolean known = !Double.isNaN(of.ts);
        if (!known && !rules.absentProcesses()) {
            return;
        }
        long process = known ? of.pid : 0;
        String title = known ? of.name : of.absent;
        double at = known ? of.ts : 0;
        next.accept(metadata("process_name", process, at, Args.of("name", title)));
        next.accept(metadata(rules.metadata(), process, at, Args.of(rules.argument(), title)));
        next.accept(metadata("process_sort_index", process, at, Args.of("sort_index", known ? of.order : 0L)));
    }

    private static AiuEvent metadata(String name, long pid, double ts, Args args) {
        AiuEvent event = new AiuEvent('M', new AiuName(name));
        event.pid = pid;
        event.hasPid = true;
        event.ts = ts;
        event.args = args;
        return event;
    }
}
