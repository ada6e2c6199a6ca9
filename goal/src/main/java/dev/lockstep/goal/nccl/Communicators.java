// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.goal.nccl.NvtxMark.MemberMark;
import dev.lockstep.goal.nccl.NvtxMark.RingMark;
import dev.lockstep.goal.nccl.NvtxMark.TreeMark;
import dev.lockstep.goal.recording.Communicator;
import dev.lockstep.goal.recording.RecordingNotes;
import dev.lockstep.read.TraceInput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** Finds the communicators of a run, and which one a process means by a hash. */
final class Communicators {
    /** With more ranks than that, how they are connected is kept only where all were recorded. */
    private static final int MOST_PARTIAL = 4096;

    /** So many ranks may be missing in all communicators together. */
    private static final long MOST_MISSING = 1 << 23;

    private record Member(int gpu, int file, long time, MemberMark mark) {}

    private final List<TraceInput> files;
    private final List<NcclProcess> processes;
    private final boolean partial;
    private final RecordingNotes notes;
    private long missing;
    private final List<Communicator> all = new ArrayList<>();
    private final List<Map<String, Integer>> byHash = new ArrayList<>();
    private final List<Map<String, List<Integer>>> rings = new ArrayList<>();
    private final List<Map<String, List<Integer>>> trees = new ArrayList<>();

    private Communicators(List<TraceInput> files, List<NcclProcess> processes, boolean partial, RecordingNotes notes) {
        this.files = files;
        this.partial = partial;
        this.processes = processes;
        this.notes = notes;
        for (NcclProcess process : processes) {
            byHash.add(new HashMap<>());
            rings.add(places(process.rings, RingMark::communicator));
            trees.add(places(process.trees, TreeMark::communicator));
        }
    }

    /** Where the marks of each communicator stand. */
    private static <T> Map<String, List<Integer>> places(MarkColumn<T> marks, Function<T, String> communicator) {
        Map<String, List<Integer>> places = new HashMap<>();
        for (int i = 0; i < marks.size(); i++) {
            places.computeIfAbsent(communicator.apply(marks.get(i)), hash -> new ArrayList<>())
                    .add(i);
        }
        return places;
    }

    /**
     * @param files of which processes bear the numbers, from 1 on
     * @param logged members that a log of the library names, by the communicator's id
     * @param partial whether it matters how members are connected where not all were recorded
     * @throws UserException when there would be very many more ranks than say so
     */
    static Communicators of(
            List<TraceInput> files,
            List<NcclProcess> processes,
            CommunicatorLog logged,
            boolean partial,
            RecordingNotes notes) {
        Communicators communicators = new Communicators(files, processes, partial, notes);
        communicators.announced();
        communicators.unannounced(logged);
        return communicators;
    }

    /** In the order in which they first came up. */
    List<Communicator> all() {
        return all;
    }

    /** The place of a communicator in {@link #all()}, by what a process calls it. */
    int place(int gpu, String hash) {
        return byHash.get(gpu).getOrDefault(hash, Communicator.NONE);
    }

    /** Those of which processes say that they are members. Communicators that were split off may share an id. */
    private void announced() {
        List<Member> announced = new ArrayList<>();
        for (int gpu = 0; gpu < processes.size(); gpu++) {
            MarkColumn<MemberMark> marks = processes.get(gpu).members;
            for (int i = 0; i < marks.size(); i++) {
                announced.add(new Member(gpu, processes.get(gpu).file, marks.time(i), marks.get(i)));
            }
        }
        announced.sort(Comparator.comparingInt(Member::file).thenComparingLong(Member::time));
        Map<String, List<Member>> byId = new LinkedHashMap<>();
        announced.forEach(member ->
                byId.computeIfAbsent(member.mark.id(), id -> new ArrayList<>()).add(member));
        byId.forEach((id, members) -> {
            if (fit(members)) {
                add(id, members);
            } else {
                Map<String, List<Member>> split = new LinkedHashMap<>();
                members.forEach(member -> split.computeIfAbsent(member.mark.communicator(), h -> new ArrayList<>())
                        .add(member));
                split.forEach((hash, part) -> add(id + "/" + hash, part));
            }
        });
    }

    private static boolean fit(List<Member> members) {
        Map<Integer, Integer> gpuOfRank = new HashMap<>();
        int size = members.getFirst().mark.ranks();
        for (Member member : members) {
            Integer other = gpuOfRank.putIfAbsent(member.mark.rank(), member.gpu);
            if (member.mark.ranks() != size || (other != null && other != member.gpu)) {
                return false;
            }
        }
        return true;
    }

    private void add(String id, List<Member> members) {
        int size =
                Math.max(1, members.stream().mapToInt(m -> m.mark.ranks()).max().orElse(1));
        demand(size, members);
        int[] gpus = new int[size];
        Arrays.fill(gpus, Communicator.NONE);
        Topology topology = new Topology(size);
        Map<Integer, Set<String>> hashes = new TreeMap<>();
        for (Member member : members) {
            if (member.mark.rank() < 0 || member.mark.rank() >= size) {
                notes.assumed("rank_invalid", "communicator " + id + ": rank " + member.mark.rank() + " of " + size);
                continue;
            }
            int first = gpus[member.mark.rank()];
            if (first != Communicator.NONE && first != member.gpu) {
                byHash.get(member.gpu).put(member.mark.communicator(), Communicator.NONE);
                notes.lost(
                        "process_twice",
                        "communicator " + id + ": rank " + member.mark.rank() + " is " + named(first) + " and "
                                + named(member.gpu) + "; what the second did there is left out");
                continue;
            }
            gpus[member.mark.rank()] = member.gpu;
            hashes.computeIfAbsent(member.gpu, gpu -> new LinkedHashSet<>()).add(member.mark.communicator());
        }
        boolean whole = Arrays.stream(gpus).noneMatch(gpu -> gpu == Communicator.NONE);
        hashes.forEach((gpu, names) -> {
            names.forEach(name -> byHash.get(gpu).put(name, all.size()));
            if (whole || (partial && size <= MOST_PARTIAL)) {
                connect(topology, gpu, names);
            }
        });
        RecordingNotes odd = whole ? notes : new RecordingNotes(); // of those with ranks missing, that is said
        all.add(new Communicator(id, gpus, topology.rings(id, odd), topology.trees(id, odd)));
    }

    private String named(int gpu) {
        return "process " + processes.get(gpu).pid() + " of node "
                + processes.get(gpu).node();
    }

    private void demand(int size, List<Member> members) {
        missing += Math.max(0, size - members.size());
        if (missing > MOST_MISSING) {
            int file = processes.get(members.getFirst().gpu).file;
            throw new UserException(
                    ErrorCode.DATA_MISSING,
                    files.get(file - 1).name() + ": communicators have " + missing
                            + " ranks together that were not recorded",
                    "Record all ranks of a run. A damaged file may name ranks that do not exist.");
        }
    }

    private void connect(Topology topology, int gpu, Set<String> names) {
        NcclProcess process = processes.get(gpu);
        places(rings.get(gpu), names).forEach(i -> topology.add(process.rings.get(i)));
        places(trees.get(gpu), names).forEach(i -> topology.add(process.trees.get(i)));
    }

    private static List<Integer> places(Map<String, List<Integer>> byName, Set<String> names) {
        List<Integer> places = new ArrayList<>();
        names.forEach(name -> places.addAll(byName.getOrDefault(name, List.of())));
        places.sort(Comparator.naturalOrder());
        return places;
    }

    /** Those that are used without having been announced: whoever uses one is a member. */
    private void unannounced(CommunicatorLog logged) {
        Map<String, Set<Integer>> users = new LinkedHashMap<>();
        for (int gpu = 0; gpu < processes.size(); gpu++) {
            for (NcclCall call : processes.get(gpu).calls()) {
                if (!byHash.get(gpu).containsKey(call.communicator())) {
                    users.computeIfAbsent(call.communicator(), hash -> new LinkedHashSet<>())
                            .add(gpu);
                }
            }
        }
        users.forEach((hash, gpus) -> {
            List<Member> members = logged.members(hash, gpus, processes).entrySet().stream()
                    .map(e -> new Member(
                            e.getValue(), 0, 0, new MemberMark(hash, hash, e.getKey(), logged.size(hash, gpus))))
                    .toList();
            if (members.isEmpty()) {
                notes.assumed(
                        "communicator_assumed",
                        "communicator " + hash + ": no member announces itself; the " + gpus.size()
                                + " processes that use it are taken for its ranks, in their order");
                members = new ArrayList<>();
                for (int gpu : gpus) {
                    members.add(new Member(gpu, 0, 0, new MemberMark(hash, hash, members.size(), gpus.size())));
                }
            }
            add(hash, members);
        });
    }
}
