// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.synth.DumpSpelling.Form;
import dev.lockstep.synth.HangProgram.Members;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The dump that a rank of a made job leaves: the last calls of the steps before, and those of the step that hangs. */
final class HangDump {
    private static final long START_NS = 1_790_000_000_000_000_000L;
    private static final long CALL_NS = 1_500_000;
    private static final String[] OLD = {"2.0", "2.1", "2.2", "2.3", "2.4", "2.5", "2.7", "2.9"};

    /** How dumps of a job look. */
    record Look(String library, boolean frames, boolean timed, boolean graphs, boolean mixed) {}

    private final HangProgram program;
    private final int rank;
    private final Look look;
    private final int entries;
    private final String version;
    private final DumpSpelling out;
    private final long[] collectives;
    private final long[] messages;
    private final SplitMix random;
    private long record;

    HangDump(HangProgram program, int rank, Look look, int entries, SplitMix random) {
        this.program = program;
        this.rank = rank;
        this.look = look;
        this.entries = entries;
        this.random = random;
        Form[] forms = Form.values();
        Form form = look.mixed ? forms[(int) (random.uniform() * forms.length)] : Form.LIBTORCH;
        version = look.mixed && random.uniform() < 0.6 ? OLD[(int) (random.uniform() * OLD.length)] : "2.10";
        out = new DumpSpelling(form);
        collectives = new long[program.groups().size()];
        messages = new long[program.groups().size()];
    }

    private int minor() {
        return Integer.parseInt(version.substring(2));
    }

    /**
     * The bytes.
     *
     * @param steps how many steps were done before
     * @param step what the rank calls in each
     * @param last what it calls in the step that hangs and the one behind
     * @param states what became of these
     */
    byte[] bytes(int steps, List<HangCall> step, List<HangCall> last, byte[] states) {
        out.beginMap();
        out.key("version");
        out.text(version);
        out.key("pg_config");
        config();
        out.key(minor() >= 8 ? "comm_lib_version" : "nccl_version");
        out.text("2.28.9");
        out.key("entries");
        out.beginList();
        int made = 0;
        while (made < states.length && states[made] != HangSimulation.NOT_CALLED) {
            made++;
        }
        long records = (long) steps * records(step, step.size()) + records(last, made);
        long skip = Math.max(0, records - entries);
        for (int i = 0; i < steps; i++) {
            long before = (long) i * records(step, step.size());
            if (before + records(step, step.size()) <= skip) {
                for (HangCall call : step) {
                    count(call);
                }
                record = before + records(step, step.size());
                continue;
            }
            for (HangCall call : step) {
                boolean captured = look.graphs && i < steps - 1 && call.line() < 200;
                entry(call, captured ? HangSimulation.SCHEDULED : HangSimulation.COMPLETED, skip);
            }
        }
        for (int i = 0; i < made; i++) {
            entry(last.get(i), states[i], skip);
        }
        out.endList();
        out.key("pg_status");
        status();
        out.endMap();
        return out.finished();
    }

    private int records(List<HangCall> calls, int count) {
        int records = 0;
        for (int i = 0; i < count; i++) {
            records += program.batched && calls.get(i).isMessage() ? 2 : 1;
        }
        return records;
    }

    private void count(HangCall call) {
        (call.isMessage() ? messages : collectives)[call.group()]++;
    }

    private void config() {
        out.beginMap();
        boolean nested = minor() < 4;
        if (nested) {
            out.key(Integer.toString(rank));
            out.beginMap();
        }
        int[] own = program.groupsOf(rank);
        for (int kind = 0; kind < own.length; kind++) {
            Members group = program.groups().get(own[kind]);
            out.key(group.name());
            out.beginMap();
            out.key("name");
            out.text(group.name());
            out.key("desc");
            out.text(group.desc());
            out.key("ranks");
            out.text(Arrays.toString(group.ranks()));
            out.endMap();
        }
        if (nested) {
            out.endMap();
        }
        out.endMap();
    }

    private void status() {
        out.beginMap();
        for (int group : program.groupsOf(rank)) {
            out.key(program.groups().get(group).name());
            out.beginMap();
            out.key("last_enqueued_collective");
            out.number(collectives[group]);
            out.key("last_started_collective");
            out.number(-1);
            out.key("last_completed_collective");
            out.number(-1);
            out.endMap();
        }
        out.endMap();
    }

    private void entry(HangCall call, byte state, long skip) {
        count(call);
        if (call.isMessage() && program.batched) {
            entry(call, HangSimulation.SCHEDULED, skip, name(call));
            entry(call, state, skip, look.library + ":coalesced");
        } else {
            entry(call, state, skip, name(call));
        }
    }

    private String name(HangCall call) {
        if (!call.isMessage()) {
            return look.library + ":" + call.kind();
        }
        int me = 0;
        int[] ranks = program.groups().get(call.group()).ranks();
        while (ranks[me] != rank) {
            me++;
        }
        return look.library + ":" + call.kind() + " " + me + (call.kind().equals("send") ? "->" : "<-") + call.peer();
    }

    private void entry(HangCall call, byte state, long skip, String name) {
        long id = record++;
        if (id < skip) {
            return;
        }
        Members group = program.groups().get(call.group());
        out.beginMap();
        if (look.frames) {
            out.key("frames");
            frames(call);
        }
        number("record_id", id);
        number("pg_id", call.group());
        out.key("process_group");
        out.pair(group.name(), group.desc());
        number("collective_seq_id", collectives[call.group()]);
        number("p2p_seq_id", messages[call.group()]);
        number("op_id", id + 1);
        out.key("profiling_name");
        out.text(name);
        long created = START_NS + id * CALL_NS + (long) (random.uniform() * CALL_NS / 2);
        number("time_created_ns", created);
        boolean part = name.endsWith("coalesced");
        sizes("input", part ? -1 : in(call), call.type());
        sizes("output", part ? -1 : out(call, group.ranks().length), call.type());
        boolean started = state == HangSimulation.COMPLETED || state == HangSimulation.STARTED && look.timed;
        out.key("state");
        out.text(state == HangSimulation.COMPLETED ? "completed" : started ? "started" : "scheduled");
        if (state == HangSimulation.COMPLETED) {
            number("time_discovered_started_ns", created + 2000);
            number("time_discovered_completed_ns", created + 3000);
        }
        number("timeout_ms", 600_000);
        out.key("is_p2p");
        out.truth(call.isMessage());
        out.key("retired");
        out.truth(state == HangSimulation.COMPLETED && random.uniform() < 0.99);
        if (minor() >= 7) {
            out.key("thread_id");
            out.text("140548918174016");
            out.key("thread_name");
            out.text("python3");
        }
        out.endMap();
    }

    private static long in(HangCall call) {
        return call.in();
    }

    private static long out(HangCall call, int members) {
        return switch (call.kind().toLowerCase(Locale.ROOT)) {
            case "_all_gather_base" -> call.in() * members;
            case "_reduce_scatter_base" -> call.in() / members;
            default -> call.in();
        };
    }

    private void number(String key, long number) {
        out.key(key);
        out.number(number);
    }

    private void sizes(String which, long elements, String type) {
        out.key(which + "_sizes");
        out.beginList();
        if (elements >= 0) {
            out.beginList();
            out.number(elements);
            out.endList();
        }
        out.endList();
        out.key(which + "_dtypes");
        out.beginList();
        if (elements >= 0) {
            out.text(type);
        }
        out.endList();
    }

    private void frames(HangCall call) {
        String torch = "/opt/venv/lib/python3.12/site-packages/torch/distributed/";
        out.beginList();
        frame(
                torch + "distributed_c10d.py",
                call.isMessage() ? 2551 : 3068,
                call.kind().replaceFirst("^_", ""));
        frame(torch + "c10d_logger.py", 83, "wrapper");
        frame(
                "/job/model/parallel.py",
                call.line(),
                call.isMessage() ? "exchange" : call.line() < 300 ? "layer" : "step");
        frame("/job/train.py", call.line() < 200 ? 40 : 44, "train_step");
        frame("/job/train.py", 96, "main");
        frame("/job/train.py", 120, "<module>");
        out.endList();
    }

    private void frame(String file, int line, String name) {
        String key = "frame " + file + line + name;
        if (out.known(key)) {
            return;
        }
        out.beginMap();
        out.key("name");
        out.text(name);
        out.key("filename");
        out.text(file);
        out.key("line");
        out.number(line);
        out.endMap();
        out.keep(key);
    }
}
