// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.options.Device;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a copy leads, as its name tells.
 *
 * @param direction {@code HtoD}, {@code DtoH}, {@code DtoD}, {@code PtoP}, {@code HtoH}; {@code unknown} when the name does not tell
 * @param hostMemory {@code pinned} or {@code pageable}; null when the name does not tell
 */
public record CopyWay(String direction, @Nullable String hostMemory) implements Comparable<CopyWay> {
    private static final Pattern SHORT = Pattern.compile("([HDPA])to([HDPA])\\b");
    private static final Pattern LONG =
            Pattern.compile("(Host|Device|Peer)[ _]?To[ _]?(Host|Device|Peer)", Pattern.CASE_INSENSITIVE);
    private static final Pattern MEMORY = Pattern.compile("\\b(Pinned|Pageable)\\b", Pattern.CASE_INSENSITIVE);

    /** The way that a name such as {@code Memcpy HtoD (Pageable -> Device)} tells. */
    public static CopyWay of(String name) {
        Matcher matcher = SHORT.matcher(name);
        String direction = "unknown";
        if (matcher.find()) {
            direction = matcher.group();
        } else if ((matcher = LONG.matcher(name)).find()) {
            direction = matcher.group(1).toUpperCase(Locale.ROOT).charAt(0)
                    + "to"
                    + matcher.group(2).toUpperCase(Locale.ROOT).charAt(0);
        }
        Matcher memory = MEMORY.matcher(name);
        return new CopyWay(direction, memory.find() ? memory.group(1).toLowerCase(Locale.ROOT) : null);
    }

    /** Whether it leads over the link between host and device. */
    public boolean isOverLink() {
        return direction.equals("HtoD") || direction.equals("DtoH");
    }

    /** Whether it leads from a device to itself or another. */
    public boolean staysOnDevices() {
        return direction.equals("DtoD") || direction.equals("PtoP");
    }

    /** Whether the host's memory is known to be pageable: then the copy goes through a buffer, and the call waits for it. */
    public boolean isPageable() {
        return "pageable".equals(hostMemory);
    }

    /** What it could carry at best, in bytes per second; NaN when unknown. */
    double peak(Device device) {
        return isOverLink()
                ? device.linkBytesPerSecond()
                : direction.equals("DtoD") ? device.bytesPerSecond() / 2 : Double.NaN;
    }

    @Override
    public int compareTo(CopyWay o) {
        int c = direction.compareTo(o.direction);
        return c != 0 ? c : String.valueOf(hostMemory).compareTo(String.valueOf(o.hostMemory));
    }
}
