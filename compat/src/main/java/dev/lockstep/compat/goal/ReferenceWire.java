// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.goal;

import dev.lockstep.goal.generate.WireRules;
import dev.lockstep.goal.model.NcclProtocol;

/** The reference's view of the wire: flags take nothing, and what is smaller than two chunks is sent at once. */
final class ReferenceWire implements WireRules {
    private static final long INSIDE_NODE = 150_000_000_000L * 2;
    private static final long SECOND = 1_000_000_000;

    @Override
    public long wireBytes(NcclProtocol protocol, long bytes) {
        return protocol == NcclProtocol.SIMPLE ? bytes : (bytes + 7) / 8 * 8;
    }

    @Override
    public long workBytes(NcclProtocol protocol, long bytes) {
        return wireBytes(protocol, bytes);
    }

    @Override
    public boolean keepsOwn() {
        return false;
    }

    @Override
    public boolean sendsEmpty() {
        return true;
    }

    @Override
    public int nearNic() {
        return 0;
    }

    @Override
    public boolean atOnce(long bytes, long chunkBytes) {
        return chunkBytes <= 0 || bytes / chunkBytes <= 1;
    }

    @Override
    public long insideNode(long bytes) {
        return bytes / (INSIDE_NODE / SECOND);
    }
}
