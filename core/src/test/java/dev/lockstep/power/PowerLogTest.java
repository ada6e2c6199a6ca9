// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.power;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.error.TraceFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PowerLogTest {
    @TempDir
    Path folder;

    private PowerLog read(String text) throws IOException {
        return PowerLog.read(Files.writeString(folder.resolve("log.csv"), text));
    }

    @Test
    void whatIsNoPowerIsSkippedAndNotZero() throws IOException {
        PowerLog log = read(
                "timestamp,gpu,power_w\n2026-02-06 18:32:16.5,0,9.5\n2026-02-06 18:32:17,0,N/A\n2026-02-06 18:32:18,1,8\n");
        assertThat(log.skipped()).isEqualTo(1);
        assertThat(log.series()).extracting(PowerSeries::domain).containsExactly("0", "1");
        assertThat(log.of("0").getFirst().watts()).containsExactly(9.5);
        assertThat(log.series().getFirst().ns()[0] % 1_000_000_000).isEqualTo(500_000_000);
    }

    @Test
    void wallMetersAreAddedUpByTheMeterItself() throws IOException {
        PowerLog log =
                read("time,id,pm1,pm2,sum\n2026-02-05 01:53:44.02,0,50,52,102\n2026-02-05 01:53:45.02,1,51,52,103\n");
        assertThat(log.series()).hasSize(1);
        assertThat(log.series().getFirst().watts()).containsExactly(102, 103);
        assertThat(read("time,id,power\n2026-02-05 01:53:44,0,50\n")
                        .series()
                        .getFirst()
                        .watts())
                .containsExactly(50);
    }

    @Test
    void nvidiaSmiWritesUnitsAndSlashes() throws IOException {
        PowerLog log = read("timestamp, index, power.draw [W]\n2026/02/05 01:53:44.020, 0, 35.10 W\n");
        assertThat(log.of("0").getFirst().watts()).containsExactly(35.1);
    }

    @Test
    void linesMayStandInAnyOrder() throws IOException {
        PowerSeries series = read("timestamp,gpu,power_w\n1700000002,0,2\n1700000001,0,1\n")
                .series()
                .getFirst();
        assertThat(series.watts()).containsExactly(1, 2);
        assertThat(series.ns()[0]).isEqualTo(1_700_000_001_000_000_000L);
    }

    @Test
    void whatIsNoLogIsNamedWithItsLine() {
        assertThatThrownBy(() -> read("a,b\n1,2\n"))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("line 1");
        assertThatThrownBy(() -> read("time,power\nsoon,2\n")).hasMessageContaining("line 2");
    }

    @Test
    void countersThatBeginAnewGoOn() {
        WrappingCounter counter = new WrappingCounter(100);
        assertThat(counter.total(90)).isEqualTo(90);
        assertThat(counter.total(10)).isEqualTo(110);
        assertThat(counter.total(5)).isEqualTo(205);
    }

    @Test
    void filesOfTheSystemAreRead() throws IOException {
        Path zone = Files.createDirectories(folder.resolve("intel-rapl:0"));
        Files.writeString(zone.resolve("name"), "package-0\n");
        Files.writeString(zone.resolve("max_energy_range_uj"), "1000000\n");
        Files.writeString(zone.resolve("energy_uj"), "900000\n");
        SysfsPower rapl = SysfsPower.rapl(folder);
        assertThat(rapl.domains()).containsExactly(new PowerSource.Domain("intel-rapl:0", "package-0", true));
        assertThat(rapl.read().getFirst().joules()).isCloseTo(0.9, within(1e-9));
        Files.writeString(zone.resolve("energy_uj"), "100000\n");
        assertThat(rapl.read().getFirst().joules()).isCloseTo(1.1, within(1e-9));
        Path chip = Files.createDirectories(folder.resolve("hwmon3"));
        Files.writeString(chip.resolve("name"), "amdgpu\n");
        Files.writeString(chip.resolve("power1_average"), "35000000\n");
        assertThat(SysfsPower.hwmon(folder).read().getFirst().watts()).isEqualTo(35);
    }
}
