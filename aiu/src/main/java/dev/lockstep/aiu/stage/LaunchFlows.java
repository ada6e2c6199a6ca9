// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.Stage;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code launch_flow_collect} and {@code launch_flow_create_missing}: torch connects a launch with one event; here every
 * kernel of the launch gets its arrow, and the last one gets an arrow to the end of the wait for it.
 */
final class LaunchFlows {
    private static final double JUST_BEFORE = 0.001;

    /** A launch is known by its correlation, and by its rank where ranks are told apart. */
    private record Key(int space, long correlation) {}

    /** An arrow as its file numbers it. */
    private record Recorded(int file, String id) {}

    private static final class Launch {
        double lastTs;
        long lastPid;
        long lastTid;
        boolean broken;

        @Nullable
        AiuEvent source;

        @Nullable
        AiuEvent wait;

        Launch(AiuEvent event) {
            lastTs = event.ts;
            lastPid = event.pid;
            lastTid = event.tid;
        }
    }

    private final boolean perFile;
    private final Map<Key, Launch> launches = new LinkedHashMap<>();
    private final Map<Recorded, Long> numbers = new HashMap<>();
    private long highestId;
    private long highestRecorded;
    private long inconsistent;
    private long late;
    private boolean closed;

    /** @param perFile whether equal correlations in different files are of different launches */
    LaunchFlows(boolean perFile) {
        this.perFile = perFile;
    }

    Stage collect() {
        return new Stage() {
            @Override
            public String name() {
                return "launch_flow_collect";
            }

            @Override
            public void accept(AiuEvent event, Next next) {
                note(event);
                next.accept(event);
            }
        };
    }

    Stage create() {
        return new Stage() {
            @Override
            public String name() {
                return "launch_flow_create_missing";
            }

            @Override
            public void accept(AiuEvent event, Next next) {
                number(event);
                next.accept(event);
                connect(event, next);
            }

            @Override
            public void drain(Next next) {
                closeAll(next);
            }

            @Override
            public void finish(AiuLog log) {
                if (inconsistent > 0) {
                    log.warn("FLOWS: Detected " + inconsistent + " timestamp inconsistencies");
                }
                if (late > 0) {
                    log.warn("FLOWS: Ignored " + late + " events with timestamp after schedule wait");
                }
            }
        };
    }

    private void note(AiuEvent event) {
        if (event.phase == 's') {
            double id = event.other == null ? Double.NaN : event.other.number("id");
            if (!Double.isNaN(id)) {
                launch(event, (long) id).source = event;
                highestRecorded = Math.max(highestRecorded, (long) id);
            }
            return;
        }
        long correlation = correlation(event);
        if (correlation == 0) {
            return;
        }
        String name = event.name.text();
        if (launches(name)) {
            launch(event, correlation);
        } else if (name.contains("ScheduleWait")) {
            launch(event, correlation).wait = event;
        } else if ("kernel".equals(event.category)) {
            advance(event, launch(event, correlation));
        } else {
            return;
        }
        highestId = Math.max(highestId, correlation);
    }

    private static long correlation(AiuEvent event) {
        double value = event.isComplete() && event.args != null ? event.args.number("correlation") : 0;
        return Double.isNaN(value) ? 0 : (long) value;
    }

    private Launch launch(AiuEvent event, long correlation) {
        return launches.computeIfAbsent(key(event, correlation), key -> new Launch(event));
    }

    private Key key(AiuEvent event, long correlation) {
        return new Key(perFile && event.job != null ? event.job.number() : 0, correlation);
    }

    private void advance(AiuEvent event, Launch launch) {
        double last = event.end() - JUST_BEFORE;
        double waited = launch.wait == null ? last : launch.wait.end();
        if (last <= waited && last > launch.lastTs) {
            launch.lastTs = last;
            launch.lastPid = event.pid;
            launch.lastTid = event.tid;
        } else if (last > waited) {
            late++;
        }
        if (launch.lastTs > waited) {
            inconsistent++;
            launch.broken = true;
        }
    }

    /** Arrows of all files but the first get numbers that no other has. */
    private void number(AiuEvent event) {
        if (event.job == null || event.job.number() == 0 || event.other == null) {
            return;
        }
        switch (event.phase) {
            case 's', 't', 'f' -> {
                Object id = event.other.get("id");
                if (id != null) {
                    Recorded recorded = new Recorded(event.job.number(), id.toString());
                    highestId = Math.max(highestId, highestRecorded);
                    event.other.put("id", numbers.computeIfAbsent(recorded, key -> ++highestId));
                }
            }
            default -> {}
        }
    }

    private void connect(AiuEvent event, Stage.Next next) {
        if (!event.isComplete() || !"kernel".equals(event.category)) {
            return;
        }
        long correlation = correlation(event);
        Launch launch = correlation == 0 ? null : launches.get(key(event, correlation));
        if (launch == null || launch.source == null || launch.broken) {
            return;
        }
        AiuEvent source = launch.source;
        long id = ++highestId;
        next.accept(at(arrow('s', source, id), source.ts, source.pid, source.tid));
        next.accept(at(arrow('f', source, id), event.ts, event.pid, event.tid));
    }

    private void closeAll(Stage.Next next) {
        if (closed) {
            return;
        }
        closed = true;
        for (Launch launch : launches.values()) {
            AiuEvent source = launch.source;
            AiuEvent wait = launch.wait;
            if (source != null && wait != null && !launch.broken) {
                long id = ++highestId;
                next.accept(at(arrow('s', source, id), launch.lastTs, launch.lastPid, launch.lastTid));
                next.accept(at(arrow('f', source, id), wait.end(), wait.pid, wait.tid));
            }
        }
        launches.clear();
    }

    private static AiuEvent arrow(char phase, AiuEvent like, long id) {
        AiuEvent arrow = new AiuEvent(phase, like.name);
        arrow.worker = like.worker;
        arrow.category = like.category;
        arrow.other = Args.of("id", id);
        if (phase == 'f') {
            arrow.other.put("bp", "e");
        }
        return arrow;
    }

    private static AiuEvent at(AiuEvent arrow, double ts, long pid, long tid) {
        arrow.ts = ts;
        arrow.pid = pid;
        arrow.hasPid = true;
        arrow.tid = tid;
        arrow.hasTid = true;
        return arrow;
    }

    private static boolean launches(String name) {
        int launch = name.indexOf("Launch");
        return launch >= 0 && name.indexOf("ControlBlock", launch) >= 0;
    }
}
