// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.xplane;

import dev.lockstep.codec.ProtoCursor;
import dev.lockstep.codec.ProtoCursor.Damaged;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Groups of devices that take part in a collective: listed, or counted through in an order of axes. */
final class HloGroups {
    private static final int MEMBERS = 1 << 3 | 2;
    private static final int MEMBER = 1 << 3;
    private static final int LISTED = 1 << 3 | 2;
    private static final int COUNTED = 2 << 3 | 2;
    private static final int GROUPS = 1 << 3;
    private static final int GROUP_SIZE = 2 << 3;
    private static final int AXES = 3 << 3 | 2;
    private static final int AXIS = 3 << 3;
    private static final int ORDER = 4 << 3 | 2;
    private static final int ORDER_ONE = 4 << 3;

    /** No run has more devices. */
    private static final int MOST = 1 << 17;

    private HloGroups() {}

    /** Takes a {@code ReplicaGroup}. */
    static long[] group(ProtoCursor c) throws Damaged {
        LongList members = new LongList(16);
        int outer = c.enter();
        for (int tag = c.tag(); tag != 0; tag = c.tag()) {
            if (tag == MEMBERS || tag == MEMBER) {
                c.numbers(tag, number -> add(number, members));
            } else {
                c.skipField(tag);
            }
        }
        c.leave(outer);
        return members.toArray();
    }

    /** Takes a {@code CollectiveDeviceListProto}. */
    static List<long[]> list(ProtoCursor c) throws Damaged {
        List<long[]> groups = new ArrayList<>();
        int outer = c.enter();
        for (int tag = c.tag(); tag != 0; tag = c.tag()) {
            switch (tag) {
                case LISTED -> groups.add(group(c));
                case COUNTED -> groups.addAll(counted(c));
                default -> c.skipField(tag);
            }
        }
        c.leave(outer);
        return groups;
    }

    /** Numbers from 0, laid out along axes, read in another order of the axes, and cut into groups. */
    private static List<long[]> counted(ProtoCursor c) throws Damaged {
        long count = 0;
        long size = 0;
        LongList axes = new LongList(8);
        LongList order = new LongList(8);
        int outer = c.enter();
        for (int tag = c.tag(); tag != 0; tag = c.tag()) {
            switch (tag) {
                case GROUPS -> count = c.varint();
                case GROUP_SIZE -> size = c.varint();
                case AXES, AXIS -> c.numbers(tag, number -> add(number, axes));
                case ORDER, ORDER_ONE -> c.numbers(tag, number -> add(number, order));
                default -> c.skipField(tag);
            }
        }
        c.leave(outer);
        if (count <= 0 || size <= 0 || count > MOST || size > MOST || count * size > MOST) {
            return List.of();
        }
        long[] all = permuted(axes.toArray(), order.toArray(), (int) (count * size));
        List<long[]> groups = new ArrayList<>();
        for (int i = 0; i < count && all.length > 0; i++) {
            groups.add(Arrays.copyOfRange(all, (int) (i * size), (int) ((i + 1) * size)));
        }
        return groups;
    }

    /** Empty where axes and order do not fit. */
    private static long[] permuted(long[] axes, long[] order, int total) {
        long product = 1;
        for (long axis : axes) {
            product = axis <= 0 || axis > total ? 0 : Math.min((long) MOST + 1, product * axis);
        }
        boolean fits = product == total && order.length == axes.length;
        boolean[] seen = new boolean[axes.length];
        for (long axis : order) {
            fits &= axis >= 0 && axis < axes.length && !seen[(int) axis];
            if (fits) {
                seen[(int) axis] = true;
            }
        }
        if (!fits) {
            return new long[0];
        }
        long[] strides = new long[axes.length];
        long stride = 1;
        for (int i = axes.length - 1; i >= 0; i--) {
            strides[i] = stride;
            stride *= axes[i];
        }
        long[] all = new long[total];
        for (int i = 0; i < total; i++) {
            long rest = i;
            for (int k = order.length - 1; k >= 0; k--) {
                int axis = (int) order[k];
                all[i] += rest % axes[axis] * strides[axis];
                rest /= axes[axis];
            }
        }
        return all;
    }

    private static void add(long number, LongList into) {
        if (into.size() < MOST) {
            into.add(number);
        }
    }
}
