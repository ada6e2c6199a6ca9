// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import dev.lockstep.goal.nccl.NcclCall.Said;
import dev.lockstep.goal.nccl.NvtxMark.GroupMark;
import dev.lockstep.goal.nccl.NvtxMark.MemberMark;
import dev.lockstep.goal.nccl.NvtxMark.PartMark;
import dev.lockstep.goal.nccl.NvtxMark.PlanMark;
import dev.lockstep.goal.nccl.NvtxMark.RingMark;
import dev.lockstep.goal.nccl.NvtxMark.TreeMark;
import dev.lockstep.goal.nccl.NvtxMark.WorkMark;
import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.RecordingNotes;
import dev.lockstep.read.nsys.NsysKernel;
import dev.lockstep.read.nsys.NsysRows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sorts the rows of an export by process and by what they say. Annotations of the library are texts like those of printf;
 * what follows a known shape does not matter, as long as {@code pid N} stands at the end.
 */
final class AnnotationReader implements NsysRows {
    private static final String HASH = "commHash ";
    private static final String PID = " pid ";

    private final String source;
    private final RecordingNotes notes;
    private final boolean named;
    private String node;
    private final Map<Long, NcclProcess> processes = new LinkedHashMap<>();
    private final Map<String, String> names = new HashMap<>();
    private final TextCursor text = new TextCursor();

    /**
     * @param file stands for the machine where nothing names it
     * @param node the machine that the file's name tells, or null
     */
    AnnotationReader(String source, String file, @Nullable String node, RecordingNotes notes) {
        this.source = source;
        this.notes = notes;
        this.named = node != null;
        this.node = node == null ? file : node;
    }

    /** Processes in the order in which their first annotation came. */
    List<NcclProcess> processes() {
        List<NcclProcess> all = new ArrayList<>(processes.values());
        all.forEach(NcclProcess::sort);
        return all;
    }

    @Override
    public void system(String name, String value) {
        if (!named && name.equalsIgnoreCase("Hostname") && !value.isBlank()) {
            node = value;
        }
    }

    @Override
    public void annotation(long start, long end, long thread, String annotation) {
        text.set(annotation);
        boolean known = switch (annotation.isEmpty() ? ' ' : annotation.charAt(0)) {
            case 'n' -> annotation.startsWith("nccl") ? call(start, end, thread) : otherSmall(start, thread);
            case 'c' -> annotation.startsWith(HASH) ? topology(start, thread) : plan(start, thread);
            case 'B' -> part(start, thread);
            case 'I' -> !text.skip("Init START ") || topology(start, thread);
            default -> true;
        };
        if (!known) {
            notes.assumed(
                    "annotation_damaged",
                    source + ": \"" + annotation + "\" is cut short or says what cannot be;" + " it was left out");
        }
    }

    @Override
    public void kernel(NsysKernel kernel) {
        process(NsysRows.processOf(kernel.globalProcess())).kernels.add(kernel);
    }

    @Override
    public void launch(long start, long end, long thread, long correlation) {
        NcclProcess process = processes.get(NsysRows.processOf(thread));
        if (process != null) {
            process.launches.add(new KernelLaunch(correlation, start, thread));
        }
    }

    @Override
    public void damaged(String table, long rows) {
        notes.assumed(
                "row_damaged",
                source + ": rows of " + table + " hold something else where a number belongs; they were left out",
                rows);
    }

    private boolean otherSmall(long start, long thread) {
        if (text.skip("nWarps ")) {
            return work(start, thread);
        }
        if (text.skip("nsys profiling ")) {
            boolean begins = text.skip("start");
            if (!begins && !text.skip("stopped")) {
                return true;
            }
            long pid = text.take(", pid: ").number();
            if (!text.failed()) {
                NcclProcess process = process(pid);
                process.windowStart = begins && process.windowStart < 0 ? start : process.windowStart;
                process.windowEnd = begins ? process.windowEnd : start;
            }
            return !text.failed();
        }
        return true;
    }

    private boolean call(long start, long end, long thread) {
        String word = text.take("nccl").letters();
        if (!text.skip("(): ")) {
            return true;
        }
        boolean begins = word.equals("GroupStart");
        if (begins || word.equals("GroupEnd")) {
            long pid = text.take("pid ").number();
            if (!text.failed()) {
                process(pid).groups.add(start, thread, new GroupMark(begins));
            }
            return !text.failed();
        }
        NcclFunction kind = NcclFunction.named(word);
        if (kind == null) {
            return true;
        }
        String communicator = same(text.take(HASH).until(','));
        String stream = same(text.take(", stream ").until(','));
        long bytes = text.take(", data_size ").number();
        int typeBytes = text.take(", type_size ").small();
        int peer = -1;
        if (kind == NcclFunction.SEND || kind == NcclFunction.RECV) {
            peer = text.find("er_rank ").small();
        }
        long pid = text.find(PID).number();
        if (!text.failed() && NvtxMark.size(bytes) && NvtxMark.element(typeBytes)) {
            Said said = new Said(kind, communicator, stream, bytes, typeBytes, peer);
            process(pid).calls.add(new NcclCall(said, start, end, thread));
            return true;
        }
        return false;
    }

    private boolean topology(long start, long thread) {
        String communicator = same(text.take(HASH).until(' '));
        if (text.skip(" Rings [")) {
            int channel = text.channel();
            int previous = text.take("] ").small();
            int rank = text.take("->").small();
            int next = text.take("->").small();
            long pid = text.take(PID).number();
            if (!text.failed()) {
                process(pid).rings.add(start, thread, new RingMark(communicator, channel, previous, rank, next));
            }
        } else if (text.skip(" Trees [")) {
            int channel = text.channel();
            int child1 = text.take("] ").small();
            int child2 = text.take("/").small();
            int child3 = text.take("/").small();
            int rank = text.take("->").small();
            int parent = text.take("->").small();
            long pid = text.take(PID).number();
            if (!text.failed()) {
                process(pid)
                        .trees
                        .add(start, thread, new TreeMark(communicator, channel, child1, child2, child3, rank, parent));
            }
        } else {
            String id = text.skip(" commId ") ? same(text.until(' ')) : communicator;
            int rank = text.take(" rank ").small();
            int ranks = text.take(" nranks ").small();
            long pid = text.take(PID).number();
            MemberMark mark = new MemberMark(communicator, id, rank, ranks);
            if (!text.failed() && mark.possible()) {
                process(pid).members.add(start, thread, mark);
            }
            return !text.failed() && mark.possible();
        }
        return !text.failed();
    }

    private boolean plan(long start, long thread) {
        if (!text.skip("collType ")) {
            return true;
        }
        int type = text.small();
        int root = text.take(" root ").small();
        text.take(" redOp ").number();
        int algorithm = text.take(" algo ").small();
        int protocol = text.take(" proto ").small();
        String communicator = same(text.take(" commHash ").until(' '));
        text.take(" stream ").until(' ');
        long bytes = text.take(" data_size ").number();
        int typeBytes = text.take(" type_size ").small();
        text.take(" chunkSize ").number();
        text.take(" chunkCount ").number();
        int chunkSteps = text.take(" chunkSteps ").small();
        int sliceSteps = text.take(" sliceSteps ").small();
        long stepBytes = text.take(" stepSize ").number();
        long pid = text.take(PID).number();
        PlanMark mark = new PlanMark(
                type, root, algorithm, protocol, communicator, bytes, typeBytes, chunkSteps, sliceSteps, stepBytes);
        if (!text.failed()) {
            process(pid).plans.add(start, thread, mark.possible() ? mark : PlanMark.IMPOSSIBLE);
        }
        return !text.failed() && mark.possible();
    }

    private boolean work(long start, long thread) {
        text.number();
        long count = text.take(" count ").number();
        long chunk = text.take(" chunkCount ").number();
        long work = text.take(" workCount ").number();
        long lastChunk = text.take(" lastChunkCount ").number();
        long offset = text.take(" workOffset ").number();
        long input = text.take(" sendbuff ").number();
        long output = text.take(" recvbuff ").number();
        long pid = text.take(PID).number();
        WorkMark mark = new WorkMark(count, chunk, work, lastChunk, offset, input - output);
        if (!text.failed()) {
            process(pid).works.add(start, thread, mark.possible() ? mark : WorkMark.IMPOSSIBLE);
        }
        return !text.failed() && mark.possible();
    }

    private boolean part(long start, long thread) {
        if (!text.skip("Bytes ")) {
            return true;
        }
        text.number();
        text.take(" nWarps ").number();
        int type = text.take(" p2pType ").small();
        int peer = text.take(" peer ").small();
        int protocol = text.take(" proto ").small();
        long high = text.take(" countHi32 ").number();
        long low = text.take(" countLo32 ").number();
        long chunk = text.take(" chunkSize ").number();
        long pid = text.take(PID).number();
        PartMark mark = new PartMark(type == 1, peer, protocol, high << 32 | low, chunk);
        if (!text.failed()) {
            process(pid).parts.add(start, thread, mark.possible() ? mark : mark.impossible());
        }
        return !text.failed() && mark.possible();
    }

    private NcclProcess process(long pid) {
        return processes.computeIfAbsent(pid, id -> new NcclProcess(node, id));
    }

    /** Names recur; each is kept once. */
    private String same(String name) {
        String known = names.putIfAbsent(name, name);
        return known == null ? name : known;
    }
}
