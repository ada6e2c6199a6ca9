// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.stored;

import java.util.Arrays;

/** The operations of one rank of a schedule, and what must wait for what; numbered as they stand in the file. */
public final class Operations {
    /** A message that leaves. */
    public static final byte SEND = 1;
    /** A message that is taken. */
    public static final byte RECV = 2;
    /** Work on a processor. */
    public static final byte CALC = 3;

    private final byte[] kind;
    private final long[] amount;
    private final int[] peer;
    private final int[] tag;
    private final byte[] cpu;
    private final byte[] nic;
    private final Dependents afterEnd;
    private final Dependents afterStart;

    /** Takes what was collected of a rank. */
    Operations(OperationsBuilder collected) {
        int size = collected.size();
        kind = Arrays.copyOf(collected.kind, size);
        amount = Arrays.copyOf(collected.amount, size);
        peer = Arrays.copyOf(collected.peer, size);
        tag = Arrays.copyOf(collected.tag, size);
        cpu = Arrays.copyOf(collected.cpu, size);
        nic = Arrays.copyOf(collected.nic, size);
        afterEnd = Dependents.of(size, collected.awaited, collected.waiting);
        afterStart = Dependents.of(size, collected.awaitedStart, collected.waitingStart);
    }

    /** The same with other amounts. */
    private Operations(Operations other, long[] amounts) {
        kind = other.kind;
        amount = amounts;
        peer = other.peer;
        tag = other.tag;
        cpu = other.cpu;
        nic = other.nic;
        afterEnd = other.afterEnd;
        afterStart = other.afterStart;
    }

    /** The same with other amounts, one for each; ownership of the array passes over. */
    Operations with(long[] amounts) {
        return new Operations(this, amounts);
    }

    /** How many there are. */
    public int size() {
        return kind.length;
    }

    /** {@link #SEND}, {@link #RECV} or {@link #CALC}. */
    public byte kind(int operation) {
        return kind[operation];
    }

    /** Bytes of a message, nanoseconds of a calculation. */
    public long amount(int operation) {
        return amount[operation];
    }

    /** The rank at the other end of a message; -1 for a receive from any; 0 for calculations. */
    public int peer(int operation) {
        return peer[operation];
    }

    /** 32 bits without a sign; 0 for calculations. */
    public int tag(int operation) {
        return tag[operation];
    }

    /** 0 to 255. */
    public int cpu(int operation) {
        return cpu[operation] & 0xFF;
    }

    /** 0 to 255. */
    public int nic(int operation) {
        return nic[operation] & 0xFF;
    }

    /** What may start when an operation has ended: {@code requires}. */
    public Dependents afterEnd() {
        return afterEnd;
    }

    /** What may start when an operation has started: {@code irequires}. */
    public Dependents afterStart() {
        return afterStart;
    }

    /** For each operation, how many others it waits for; the array is the caller's. */
    public int[] waitsFor() {
        int[] counts = new int[kind.length];
        afterEnd.count(counts);
        afterStart.count(counts);
        return counts;
    }

    /** The word for a kind. */
    public static String word(byte kind) {
        return switch (kind) {
            case SEND -> "send";
            case RECV -> "recv";
            default -> "calc";
        };
    }
}
