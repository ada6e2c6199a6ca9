// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs.dump;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A process group of the job: its members, and where the dump of each knows it. */
public final class Group {
    private final String name;
    private final String desc;
    private final String backend;
    private final int[] order;
    private final int[] members;
    private final int[] dumps;
    private final int[] locals;

    /** @param order the ranks in the order of their numbers within the group */
    Group(String name, String desc, String backend, int[] order) {
        this.name = name;
        this.desc = desc;
        this.backend = backend;
        this.order = order.clone();
        members = order.clone();
        Arrays.sort(members);
        dumps = new int[members.length];
        Arrays.fill(dumps, -1);
        locals = new int[members.length];
        Arrays.fill(locals, -1);
    }

    void known(int rank, int local) {
        int slot = slot(rank);
        if (slot >= 0) {
            locals[slot] = local;
        }
    }

    /** @param places of dumps in the job, by rank */
    void dumped(Map<Integer, Integer> places) {
        for (int slot = 0; slot < members.length; slot++) {
            dumps[slot] = places.getOrDefault(members[slot], -1);
        }
    }

    public String name() {
        return name;
    }

    public String desc() {
        return desc;
    }

    public String backend() {
        return backend;
    }

    /** For people: the description where there is one, and the ranks. */
    public String words() {
        String called = desc.isEmpty() || desc.startsWith("undefined") ? "group " + name : desc;
        return called + " (" + ranks(members) + ")";
    }

    /** {@code ranks 0-7}, {@code ranks 0, 8, 16, … (512 in all)}. */
    public static String ranks(int[] sorted) {
        return (sorted.length == 1 ? "rank " : "ranks ") + numbers(sorted);
    }

    /** The same without the word. */
    static String numbers(int[] sorted) {
        int n = sorted.length;
        if (n > 2 && sorted[n - 1] - sorted[0] == n - 1) {
            return sorted[0] + "-" + sorted[n - 1];
        }
        StringBuilder out = new StringBuilder();
        int most = 8;
        for (int i = 0; i < Math.min(n, most); i++) {
            out.append(i == 0 ? "" : ", ").append(sorted[i]);
        }
        return n > most ? out + ", … (" + n + " in all)" : out.toString();
    }

    /** As {@link #ranks(int[])}. */
    public static String ranks(List<Integer> ranks) {
        return ranks(ranks.stream().mapToInt(Integer::intValue).sorted().toArray());
    }

    /** How many members there are. */
    public int size() {
        return members.length;
    }

    /** The rank of a member, by its place among the sorted. */
    public int rank(int slot) {
        return members[slot];
    }

    /** The rank with a number within the group; -1 for none. */
    public int rankNumbered(int number) {
        return number >= 0 && number < order.length ? order[number] : -1;
    }

    /** The place of a rank among the sorted members, negative for none. */
    public int slot(int rank) {
        return Arrays.binarySearch(members, rank);
    }

    /** The place in the job of a member's dump, -1 where it left none. */
    public int dump(int slot) {
        return dumps[slot];
    }

    /** The number of the group in a member's dump, -1 where that does not know it. */
    public int local(int slot) {
        return locals[slot];
    }
}
