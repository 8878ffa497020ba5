const SAMPLES_PER_SECOND = 8000
const HEADER_BYTES = 44
const SECONDS = 2
const TONE_HZ = 440

function writeHeader(file: Buffer): void {
  file.write('RIFF', 0)
  file.writeUInt32LE(file.length - 8, 4)
  file.write('WAVEfmt ', 8)
  // Length of the format, PCM, one channel, samples and bytes per second, bytes per sample, bits per sample.
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(SAMPLES_PER_SECOND, 24)
  file.writeUInt32LE(SAMPLES_PER_SECOND, 28)
  file.writeUInt16LE(1, 32)
  file.writeUInt16LE(8, 34)
  file.write('data', 36)
  file.writeUInt32LE(file.length - HEADER_BYTES, 40)
}

/** Returns a fading tone as a WAV file, in place of a recorded call. */
export function createRecording(): Buffer<ArrayBuffer> {
  const count = SECONDS * SAMPLES_PER_SECOND
  const file = Buffer.alloc(HEADER_BYTES + count)
  writeHeader(file)
  for (let n = 0; n < count; n += 1) {
    const wave = Math.sin((2 * Math.PI * TONE_HZ * n) / SAMPLES_PER_SECOND)
    // Samples are centered at 128.
    file[HEADER_BYTES + n] = Math.round(128 + 40 * (1 - n / count) * wave)
  }
  return file
}
