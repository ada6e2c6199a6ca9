// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import dev.lockstep.cli.ProgramVersion;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a run's result may depend on and that no plan says. What cannot be found out is left out.
 *
 * @param host the machine
 * @param versions of what takes part, by name
 * @param inherited variables that were set before and that trainers or collective libraries heed, with their values where these
 *     may be written down
 */
record EnvironmentCapture(
        Map<String, String> host, Map<String, String> versions, Map<String, Optional<String>> inherited) {
    private static final Duration LONGEST = Duration.ofSeconds(20);
    /**
     * Finds the packages without importing them: that takes long where there are devices. Nothing is taken from the current
     * folder, where {@code -c} would look first.
     */
    static final String ASK_PYTHON = """
        import sys
        sys.path[:] = [folder for folder in sys.path if folder]
        import importlib.util, os, platform
        print("python", platform.python_version())
        print("python_path", sys.executable)
        for name in ("torch", "triton"):
            try:
                spec = importlib.util.find_spec(name)
                folder = os.path.dirname(spec.origin)
                values = {}
                if os.path.exists(os.path.join(folder, "version.py")):
                    exec(open(os.path.join(folder, "version.py")).read(), values)
                else:
                    import importlib.metadata
                    values["__version__"] = importlib.metadata.version(name)
                print(name, values["__version__"])
                for key in ("cuda", "hip", "git_version"):
                    if values.get(key):
                        print(name + "_" + key, values[key])
            except Exception:
                pass
        """;

    static EnvironmentCapture of(Recipe recipe) {
        return new EnvironmentCapture(machine(), found(recipe), RecordedVariables.heeded(System.getenv()));
    }

    private static Map<String, String> machine() {
        Map<String, String> host = new TreeMap<>();
        host.put("name", hostName());
        host.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        host.put("architecture", System.getProperty("os.arch"));
        host.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        firstLine("/proc/meminfo").ifPresent(line -> host.put("memory", line.replaceAll("\\D+(\\d+ kB)", "$1")));
        return host;
    }

    /** Name of the machine. */
    static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    private static Map<String, String> found(Recipe recipe) {
        Map<String, String> versions = new TreeMap<>();
        versions.put("lockstep", ProgramVersion.number());
        versions.put("java", Runtime.version().toString());
        if (recipe.container() == null) {
            python(recipe, versions);
        } else {
            image(recipe.container(), versions);
        }
        for (String file :
                List.of("/opt/rocm/.info/version", "/sys/module/amdgpu/version", "/proc/driver/nvidia/version")) {
            firstLine(file).ifPresent(line -> versions.put(nameOf(file), line));
        }
        String code = folderOfTrainer(recipe);
        Programs.run(List.of("git", "-C", code, "rev-parse", "HEAD"), LONGEST)
                .ifPresent(commit -> versions.put("git_commit", commit));
        Programs.run(changes(code), LONGEST)
                .ifPresent(changes -> versions.put("git_changes", changes.isEmpty() ? "none" : "some"));
        return versions;
    }

    /** Asks without starting what the repository's own settings name, as its monitor of files or a hook. */
    static List<String> changes(String code) {
        return List.of(
                "git",
                "-C",
                code,
                "-c",
                "core.fsmonitor=false",
                "--no-optional-locks",
                "status",
                "--porcelain",
                "--untracked-files=no");
    }

    private static String folderOfTrainer(Recipe recipe) {
        String script = recipe.command().script();
        Path folder = script == null ? null : Path.of(script).getParent();
        return folder == null ? "." : folder.toString();
    }

    private static String nameOf(String file) {
        return file.contains("rocm") ? "rocm" : file.contains("amdgpu") ? "amdgpu_driver" : "nvidia_driver";
    }

    private static void image(Container container, Map<String, String> versions) {
        Programs.run(container.version(), LONGEST).ifPresent(text -> versions.put("docker_compose", text));
        Programs.run(container.image(), LONGEST)
                .flatMap(text -> text.lines().findFirst())
                .ifPresent(name -> {
                    versions.put("image", name);
                    Programs.run(List.of("docker", "image", "inspect", "--format", "{{.Id}}", name), LONGEST)
                            .ifPresent(id -> versions.put("image_id", id));
                });
    }

    private static void python(Recipe recipe, Map<String, String> versions) {
        String text = Programs.run(List.of(recipe.command().python(), "-c", ASK_PYTHON), LONGEST)
                .orElse("");
        text.lines().forEach(line -> {
            int space = line.indexOf(' ');
            if (space > 0 && line.substring(0, space).matches("(python|torch|triton)[a-z_]*")) {
                versions.put(line.substring(0, space), line.substring(space + 1));
            }
        });
    }

    private static Optional<String> firstLine(String file) {
        try {
            Path path = Path.of(file);
            return Files.isReadable(path) ? Files.readString(path).lines().findFirst() : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
