// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.UserException;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.session.Registry;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MergedFormatTest {
    private final Registry registry = new Registry();

    @Test
    void formatsAreNamedByTheirEndings() {
        assertThat(MergedFormat.parse("json.gz, .pftrace,json,json", registry))
                .containsExactly(new MergedFormat(".json.gz"), new MergedFormat(".pftrace"), new MergedFormat(".json"));
        assertThat(MergedFormat.words(registry).split(", ")).contains("pftrace", "json", "json.gz");
        assertThat(MergedFormat.STANDARD.word()).isEqualTo("pftrace");
    }

    @Test
    void aFormatThatNobodyKnowsIsRefusedWithThoseThatAreKnown() {
        assertThatThrownBy(() -> MergedFormat.parse("json,svg", registry))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("no merged files are written as 'svg'");
        assertThatThrownBy(() -> MergedFormat.parse("", registry)).isInstanceOf(UserException.class);
    }

    @Test
    void filesOfSeveralFormatsLieSideBySide() {
        WholeMergePlan plan = new WholeMergePlan(
                List.of(new MergedFormat(".json.gz"), new MergedFormat(".pftrace")),
                WholeMergePlan.standard().options());

        assertThat(plan.targets(Path.of("merged/256thread_28ch_merged.json")))
                .containsExactly(
                        Path.of("merged/256thread_28ch_merged.json.gz"),
                        Path.of("merged/256thread_28ch_merged.pftrace"));
        assertThat(new MergedFormat(".json.gz").isPacked()).isTrue();
        assertThat(new MergedFormat(".json").isPacked()).isFalse();
        assertThat(plan.keep()).as("what is not looked at is passed through").isEqualTo(Keep.RECORDING);
    }
}
