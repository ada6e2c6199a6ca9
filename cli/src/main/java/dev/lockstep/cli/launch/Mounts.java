// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import dev.lockstep.cli.SettingsFile;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a service sees of this machine's folders.
 *
 * @param container the service
 * @param config the compose file with all variables put in, as the engine prints it
 */
record Mounts(Container container, String config) {
    /**
     * Where the service sees a folder; empty where that is its own working directory, or where the engine's text does not say.
     *
     * @throws UserException if there is no such service, or it mounts other folders only
     */
    String folder(Path here) {
        Object services = member(content(), "services");
        Object service = member(services, container.service());
        if (!(service instanceof Map<?, ?>)) {
            if (services instanceof Map<?, ?> known && !known.isEmpty()) {
                throw new UserException(
                        ErrorCode.OPTION_INVALID,
                        container.composeFile() + " has no service " + container.service(),
                        "known: "
                                + String.join(
                                        ", ",
                                        known.keySet().stream()
                                                .map(String::valueOf)
                                                .sorted()
                                                .toList()));
            }
            return "";
        }
        Map<Path, String> mounts = mounts(member(service, "volumes"));
        Map.Entry<Path, String> mount = mounts.entrySet().stream()
                .filter(one -> here.startsWith(one.getKey()))
                .max(Comparator.comparingInt(one -> one.getKey().getNameCount()))
                .orElseThrow(() -> new UserException(
                        ErrorCode.OPTION_INVALID,
                        "service " + container.service() + " does not see the folder " + here
                                + (mounts.isEmpty() ? ": it mounts none" : ": it mounts " + text(mounts)),
                        "start in one of its folders, or let the compose file mount this one (the templates: WORKSPACE="
                                + here + ")"));
        String inside = mount.getKey().relativize(here).toString();
        String target = mount.getValue();
        String folder = inside.isEmpty() ? target : target + (target.endsWith("/") ? "" : "/") + inside;
        return folder.equals(member(service, "working_dir")) ? "" : folder;
    }

    private Object content() {
        try {
            Object content = SettingsFile.yaml("the compose file", config, ErrorCode.FORMAT_CORRUPT, null);
            return content == null ? Map.of() : content;
        } catch (UserException e) {
            return Map.of(); // the engine itself will say what is wrong with the file
        }
    }

    private static Object member(Object of, String name) {
        Object value = of instanceof Map<?, ?> map ? map.get(name) : null;
        return value == null ? "" : value;
    }

    /** Folders of this machine and where they are seen: written out, or as {@code SOURCE:TARGET[:MODE]}. */
    private static Map<Path, String> mounts(Object volumes) {
        Map<Path, String> mounts = new LinkedHashMap<>();
        for (Object volume : volumes instanceof List<?> list ? list : List.of()) {
            String[] parts = volume instanceof Map<?, ?>
                    ? new String[] {
                        member(volume, "source").toString(),
                        member(volume, "target").toString()
                    }
                    : volume.toString().split(":", 3);
            if (parts.length > 1 && parts[0].startsWith("/")) {
                mounts.put(real(Path.of(parts[0])), parts[1]);
            }
        }
        return mounts;
    }

    private static Path real(Path folder) {
        try {
            return folder.toRealPath();
        } catch (IOException e) {
            return folder.normalize();
        }
    }

    private static String text(Map<Path, String> mounts) {
        return String.join(
                ", ",
                mounts.entrySet().stream()
                        .map(mount -> mount.getKey() + " as " + mount.getValue())
                        .toList());
    }
}
