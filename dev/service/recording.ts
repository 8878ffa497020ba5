const SAMPLES_PER_SECOND = 8000
const HEADER_BYTES = 44
/** Frequency of each half second. */
const NOTES_HZ = [440, 554, 659, 440]

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

/** Returns two seconds of tones as a WAV file, in place of a recorded call. */
export function createRecording(): Buffer<ArrayBuffer> {
  const samplesPerNote = SAMPLES_PER_SECOND / 2
  const file = Buffer.alloc(HEADER_BYTES + NOTES_HZ.length * samplesPerNote)
  writeHeader(file)
  for (const [index, hertz] of NOTES_HZ.entries()) {
    for (let n = 0; n < samplesPerNote; n += 1) {
      // Fades out, so that notes don't click.
      const loudness = 40 * (1 - n / samplesPerNote)
      const wave = Math.sin((2 * Math.PI * hertz * n) / SAMPLES_PER_SECOND)
      file[HEADER_BYTES + index * samplesPerNote + n] = Math.round(128 + loudness * wave)
    }
  }
  return file
}
