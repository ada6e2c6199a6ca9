// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.table.StringPool;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the names of HCCL's collectives say: {@code hcom_allReduce__538_0_1} is the collective 0 of the group 538. */
final class HcclName {
    private static final Pattern NAME = Pattern.compile("^hcom_([A-Za-z]+)_*+(?:(\\d++)_(\\d{1,18})_\\d++)?$");

    private static final Map<String, String> TYPES = Map.of(
            "FP64", "Double",
            "FP32", "Float",
            "FP16", "Half",
            "BFP16", "BFloat16",
            "INT64", "Long",
            "INT32", "Int",
            "INT16", "Short",
            "INT8", "Char",
            "UINT8", "Byte");

    private HcclName() {}

    /** The type by the name that PyTorch gives it. */
    private static String type(String recorded) {
        return TYPES.getOrDefault(recorded, recorded);
    }

    /** Completes the fields of an event that has a number of elements, if it is such a collective. */
    static void fill(EventFields f, StringPool strings) {
        Matcher name = NAME.matcher(strings.get(f.name));
        if (!name.matches()) {
            return;
        }
        int type = f.text(ArgKey.HCCL_TYPE);
        f.set(ArgKey.COLLECTIVE, strings.intern(name.group(1).toLowerCase(Locale.ROOT)));
        f.set(ArgKey.IN_ELEMENTS, f.get(ArgKey.HCCL_COUNT));
        f.set(ArgKey.OUT_ELEMENTS, f.get(ArgKey.HCCL_COUNT));
        f.set(ArgKey.DTYPE, type < 0 ? -1 : strings.intern(type(strings.get(type))));
        if (name.group(2) != null) {
            f.set(ArgKey.GROUP_NAME, strings.intern(name.group(2)));
            f.set(ArgKey.COLLECTIVE_SEQUENCE, Long.parseLong(name.group(3)));
        }
    }
}
