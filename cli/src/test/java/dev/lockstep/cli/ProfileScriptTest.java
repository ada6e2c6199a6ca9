// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that profiles language models says what to do where it cannot, with modules that fail as PyTorch's do. */
class ProfileScriptTest {
    private static final Path SCRIPT = Path.of("../examples/profile/profile_language_model.py")
            .toAbsolutePath()
            .normalize();

    private static final String TORCH = """
        import os
        __version__ = "2.9.0"
        gpu = os.environ.get("FAKE_GPU", "none")
        class version:
            cuda = None if gpu == "none" else "12.8"
            hip = None
        class cuda:
            is_available = staticmethod(lambda: gpu != "none")
            device_count = staticmethod(lambda: 1)
            set_device = staticmethod(lambda number: None)
            get_device_name = staticmethod(lambda number: "GPU of the test")
            get_device_capability = staticmethod(lambda number: (6, 1) if gpu == "pascal" else (12, 0))
            get_arch_list = staticmethod(lambda: ["sm_70", "sm_80", "sm_90a", "compute_90"])
            @staticmethod
            def init():
                if gpu == "mps":
                    raise RuntimeError("CUDA error: MPS client failed to connect to the MPS control daemon (805)")
        """;

    private static final String TRANSFORMERS = """
        import os
        __version__ = "4.57.1"
        class utils:
            is_torch_available = staticmethod(lambda: os.environ.get("FAKE_OLD") is None)
        """;

    @TempDir
    Path folder;

    private String said = "";

    @BeforeEach
    void writeModules() throws IOException {
        Files.writeString(folder.resolve("torch.py"), TORCH);
        Files.writeString(folder.resolve("transformers.py"), TRANSFORMERS);
    }

    private int run(Map<String, String> environment, String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of("python3", "-B"));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.directory(folder.toFile());
        builder.environment().put("PYTHONPATH", folder + ":" + SCRIPT.getParent());
        builder.environment().keySet().removeAll(List.of("RANK", "WORLD_SIZE", "LOCAL_RANK", "CUDA_VISIBLE_DEVICES"));
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor();
        } catch (InterruptedException e) {
            throw new IOException(e);
        } catch (IOException e) {
            assumeTrue(false, "there is no python3: the script was not run");
            throw e;
        }
    }

    private void failsWith(Map<String, String> environment, String... parts) throws IOException {
        assertThat(run(environment, SCRIPT.toString(), "--model", "tiny", "--device", "cuda"))
                .as(said)
                .isEqualTo(1);
        assertThat(said).contains(parts).doesNotContain("Traceback");
    }

    @Test
    void withoutGpuItSaysWhereThereMayBeOne() throws IOException {
        failsWith(Map.of("WORLD_SIZE", "2"), "nvidia-smi", "srun --gres=gpu:2 --pty bash", "CUDA_VISIBLE_DEVICES");
    }

    @Test
    void aServiceThatDoesNotAnswerIsNamed() throws IOException {
        failsWith(Map.of("FAKE_GPU", "mps"), "nvidia-cuda-mps-control", "CUDA_MPS_PIPE_DIRECTORY");
    }

    @Test
    void anArchitectureThatTheBuildLacksIsNamedWithWhatHasIt() throws IOException {
        failsWith(Map.of("FAKE_GPU", "pascal"), "sm_61", "torch==1.12.1+cu116", "TORCH_CUDA_ARCH_LIST=\"6.1\"");
    }

    @Test
    void moreRanksThanGpusAreRefused() throws IOException {
        failsWith(Map.of("FAKE_GPU", "new", "RANK", "1", "WORLD_SIZE", "2"), "rank 1 wants GPU 1, and there are 1");
    }

    @Test
    void librariesThatDoNotFitAreNamed() throws IOException {
        failsWith(Map.of("FAKE_OLD", "yes"), "transformers 4.57.1 does not work with PyTorch 2.9.0");
        Files.writeString(folder.resolve("transformers.py"), "raise ImportError('No module named transformers')");
        failsWith(Map.of(), "transformers is not installed in");
    }

    @Test
    void numbersThatMakeNoSenseAreRefused() throws IOException {
        assertThat(run(Map.of(), SCRIPT.toString(), "--max-new-tokens", "0")).isEqualTo(2);
        assertThat(said).contains("--max-new-tokens wants a number of at least 1");
        assertThat(run(Map.of(), SCRIPT.toString(), "--dtype", "int3")).isEqualTo(2);
    }

    @Test
    void eachRankHasFilesOfItsOwn() throws IOException {
        String program = """
            import profile_language_model as m, torch
            for name in ("trace.json.gz", "out.d/shapes.jsonl", "r{rank}.json"):
                print(m.Place(torch, "cpu").own(name))
            error = OSError("We couldn't connect to 'https://hub' to load the files")
            print(m.unreachable(error), m.unreachable(OSError("no such model")))
            print(m.explained(RuntimeError("CUDA out of memory. Tried to allocate"), 2).splitlines()[0])
            """;
        assertThat(run(Map.of("RANK", "1", "WORLD_SIZE", "2"), "-c", program))
                .as(said)
                .isZero();
        assertThat(said.lines())
                .containsExactly(
                        "trace_rank1.json.gz",
                        "out.d/shapes_rank1.jsonl",
                        "r1.json",
                        "True False",
                        "the model does not fit into the memory of the GPU: CUDA out of memory. Tried to allocate");
    }
}
