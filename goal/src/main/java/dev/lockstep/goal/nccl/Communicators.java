// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import dev.lockstep.goal.nccl.NvtxMark.MemberMark;
import dev.lockstep.goal.recording.Communicator;
import dev.lockstep.goal.recording.RecordingNotes;
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

/** Finds the communicators of a run, and which one a process means by a hash. */
final class Communicators {
    private record Member(int gpu, int file, long time, MemberMark mark) {}

    private final List<NcclProcess> processes;
    private final RecordingNotes notes;
    private final List<Communicator> all = new ArrayList<>();
    private final List<Map<String, Integer>> byHash = new ArrayList<>();

    private Communicators(List<NcclProcess> processes, RecordingNotes notes) {
        this.processes = processes;
        this.notes = notes;
        processes.forEach(process -> byHash.add(new HashMap<>()));
    }

    /**
     * @param logged members that a log of the library names, by the communicator's id
     */
    static Communicators of(List<NcclProcess> processes, CommunicatorLog logged, RecordingNotes notes) {
        Communicators communicators = new Communicators(processes, notes);
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
        int[] gpus = new int[size];
        Arrays.fill(gpus, Communicator.NONE);
        Topology topology = new Topology(size);
        Map<Integer, Set<String>> hashes = new TreeMap<>();
        for (Member member : members) {
            if (member.mark.rank() < 0 || member.mark.rank() >= size) {
                notes.assumed("rank_invalid", "communicator " + id + ": rank " + member.mark.rank() + " of " + size);
                continue;
            }
            gpus[member.mark.rank()] = member.gpu;
            hashes.computeIfAbsent(member.gpu, gpu -> new LinkedHashSet<>()).add(member.mark.communicator());
        }
        hashes.forEach((gpu, names) -> {
            names.forEach(name -> byHash.get(gpu).put(name, all.size()));
            connect(topology, processes.get(gpu), names);
        });
        boolean whole = Arrays.stream(gpus).noneMatch(gpu -> gpu == Communicator.NONE);
        RecordingNotes odd = whole ? notes : new RecordingNotes(); // of those with ranks missing, that is said
        all.add(new Communicator(id, gpus, topology.rings(id, odd), topology.trees(id, odd)));
    }

    private static void connect(Topology topology, NcclProcess process, Set<String> names) {
        for (int i = 0; i < process.rings.size(); i++) {
            if (names.contains(process.rings.get(i).communicator())) {
                topology.add(process.rings.get(i));
            }
        }
        for (int i = 0; i < process.trees.size(); i++) {
            if (names.contains(process.trees.get(i).communicator())) {
                topology.add(process.trees.get(i));
            }
        }
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
