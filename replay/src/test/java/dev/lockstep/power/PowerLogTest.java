// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.power;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.error.TraceFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class PowerLogTest {
    @TempDir
    Path folder;

    private PowerLog read(String text) throws IOException {
        return PowerLog.read(Files.writeString(folder.resolve("log.csv"), text));
    }

    @Test
    void whatIsNoPowerIsSkippedAndNotZero() throws IOException {
        PowerLog log = read("timestamp,gpu,power_w\n"
                + "2026-02-06 18:32:16.5,0,9.5\n"
                + "2026-02-06 18:32:17,0,N/A\n"
                + "2026-02-06 18:32:18,1,8\n");
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
    void devicesAreKnownByTheirPlaceOnTheBusAndTheirUuid() throws IOException {
        PowerLog log = read("""
            timestamp, index, uuid, pci.bus_id, power.draw [W]
            2026/02/05 01:53:44.020, 0, GPU-5e1f-00, 00000000:3B:00.0, 35.10 W
            2026/02/05 01:53:44.020, 1, GPU-77aa-00, 00000000:AF:00.0, 36 W
            """);
        for (String own : List.of("0", "gpu-5E1F-00", "5e1f-00", "3b:00.0", "0000:3b:00.0", "00000000:3B:00.0")) {
            assertThat(log.of(own)).as(own).extracting(PowerSeries::domain).containsExactly("0");
        }
        assertThat(log.of("0001:3b:00.0")).isEmpty();
        assertThat(read("timestamp,gpu,power_w,energy_j,bus_id\n1700000000,gpu3,5,,\n1700000001,gpu3,5,,0000:c1:00.0\n")
                        .of("c1:00"))
                .extracting(PowerSeries::domain)
                .containsExactly("gpu3");
        assertThat(read("timestamp,gpu,power_w,energy_j,bus_id\n1700000000,gpu3,5,,\n")
                        .of(""))
                .hasSize(1);
    }

    @Test
    void unitsStandInTheHeaderOrBehindNumbers() throws IOException {
        assertThat(watts("time,gpu,power_mw\n1700000000,0,35100\n")).containsExactly(35.1);
        assertThat(watts("time,gpu,power (uW)\n1700000000,0,5000000\n")).containsExactly(5);
        assertThat(watts("time,power\n1700000000,35100 mW\n1700000001,0.2 kW\n1700000002,3 apples\n"))
                .containsExactly(35.1, 200);
        assertThat(watts("time,power\n1700000000,2 MW\n1700000001,2 mw\n")).containsExactly(2e6, 0.002);
        assertThat(watts("time,Power (MW)\n1700000000,2\n")).containsExactly(2e6);
        assertThat(watts("TIME,POWER_MW\n1700000000,2\n"))
                .as("a head in capitals alone does not tell")
                .containsExactly(0.002);
        assertThat(read("time,Energy [MJ]\n1700000000,2\n").series().getFirst().joules())
                .containsExactly(2e6);
        PowerSeries counted =
                read("timestamp,gpu,energy_uj\n1700000000,0,2500000\n").series().getFirst();
        assertThat(counted.joules()).containsExactly(2.5);
        assertThat(counted.watts()[0]).isNaN();
    }

    private double[] watts(String text) throws IOException {
        return read(text).series().getFirst().watts();
    }

    @Test
    void timesMeanTheSameMomentInAnySpelling() throws IOException {
        long moment = 1_770_402_736_500_000_000L;
        for (String time : List.of(
                "2026-02-06 18:32:16.5",
                "2026/02/06 18:32:16.500",
                "2026-02-06T18:32:16.5Z",
                "2026-02-06 19:32:16.5+0100",
                "2026-02-06 19:32:16.500 +01:00",
                "1770402736.5",
                "1770402736500",
                "1770402736500000",
                "1770402736500000000")) {
            assertThat(read("time,power\n" + time + ",1\n").series().getFirst().ns())
                    .as(time)
                    .containsExactly(moment);
        }
        Path local = Files.writeString(folder.resolve("local.csv"), "time,power\n2026-02-06 19:32:16.5,1\n");
        assertThat(PowerLog.read(local, ZoneId.of("Europe/Berlin"))
                        .series()
                        .getFirst()
                        .ns())
                .containsExactly(moment);
    }

    @Test
    void damagedLinesAreCountedAndTheRestIsUsed() throws IOException {
        PowerLog log = read("timestamp,gpu,power_w\n"
                + "1700000000,0,10\n"
                + "nonsense,0,11\n"
                + "1700000001,0,-3\n"
                + "1700000002,1,12\n\n"
                + "1700000003,0,13\n"
                + "17000");
        assertThat(log.skipped()).isEqualTo(3);
        assertThat(log.of("0").getFirst().watts()).containsExactly(10, 13);
        assertThat(log.of("gpu1")).isEmpty();
        assertThat(log.of("1").getFirst().watts()).containsExactly(12);
    }

    @Test
    void aCounterOfALogThatFallsBeganAnew() throws IOException {
        assertThat(read("timestamp,gpu,energy_j\n1700000000,0,90\n1700000001,0,100\n1700000002,0,5\n1700000003,0,7\n")
                        .series()
                        .getFirst()
                        .joules())
                .containsExactly(90, 100, 105, 107);
    }

    @Test
    void aCounterThatFallsALittleOrStandsOutDidNotBeginAnew() throws IOException {
        StringBuilder low = new StringBuilder("timestamp,gpu,energy_j\n");
        for (int i = 0; i <= 20; i++) {
            int joules = 1000 + 10 * i + (i == 7 ? -19 : i == 12 ? 50_000 : i == 15 ? -1150 : 0);
            low.append(1_700_000_000_000L + 100 * i)
                    .append(",0,")
                    .append(joules)
                    .append('\n');
        }
        PowerLog log = read(low.toString());

        assertThat(log.passedOver()).isEqualTo(3);
        assertThat(log.restarts()).isZero();
        assertThat(log.series().getFirst().joules()[20]).isEqualTo(1200);
        assertThat(log.series().getFirst().joules()[12]).isNaN();
        PowerLog anew = read("timestamp,gpu,energy_j\n1700000000,0,90\n1700000001,0,100\n1700000002,0,5\n");
        assertThat(anew.restarts()).isEqualTo(1);
        assertThat(anew.passedOver()).isZero();
    }

    @Test
    void theNewestLineMayBeTheFirst() throws IOException {
        StringBuilder newest = new StringBuilder("timestamp,gpu,energy_j\n");
        for (int i = 40; i >= 0; i--) {
            newest.append(1_700_000_000L + i / 10)
                    .append(",0,")
                    .append(1000 + 10 * i)
                    .append('\n');
        }
        PowerLog log = read(newest.toString());

        assertThat(log.passedOver() + log.restarts()).isZero();
        assertThat(log.series().getFirst().joules()).isSorted().hasSize(41);
    }

    @Test
    void linesMayStandInAnyOrder() throws IOException {
        PowerSeries series = read("timestamp,gpu,power_w\n1700000002,0,2\n1700000001,0,1\n")
                .series()
                .getFirst();
        assertThat(series.watts()).containsExactly(1, 2);
        assertThat(series.ns()[0]).isEqualTo(1_700_000_001_000_000_000L);
    }

    /** Cells of any length cost time by their length. */
    @Test
    @Timeout(20)
    void cellsThatAreTooLongAreNone() throws IOException {
        PowerLog log = read("time,power\n1700000000,1\n" + "T".repeat(200_000) + ",1\n" + "9".repeat(200_000)
                + ",1\n" + "9".repeat(40) + ",1\n99999999999,1\n9999-01-01 00:00:00,1\n1700000001,"
                + "e".repeat(200_000) + "!\n");

        assertThat(log.skipped()).isEqualTo(6);
        assertThat(log.series().getFirst().watts()).containsExactly(1);
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
