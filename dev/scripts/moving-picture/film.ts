import sharp from 'sharp'

/** A place on the page, in its own pixels. */
export interface Pointer {
  readonly x: number
  readonly y: number
  readonly isDown: boolean
}

interface Frame {
  readonly png: Buffer
  readonly durationMs: number
}

const arrowSize = 40
/** Its tip is in the middle, as is the ring around a press. */
const arrow = ({ isDown }: Pointer, scale: number) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-20 -20 40 40" width="${arrowSize * scale}" height="${arrowSize * scale}">
      <circle r="18" fill="#1a66c7" fill-opacity="${isDown ? 0.35 : 0}"/>
      <path d="M0 0V17L4 13.2 6.7 19.3 9.4 18.1 6.8 12.2H12Z" fill="#111" stroke="#fff" stroke-width="1.4"/>
    </svg>`,
  )

/** Screenshots one after the other, with a pointer, which they leave out. */
export class Film {
  readonly #frames: Frame[] = []
  readonly #scale: number

  /** @param scale pixels of a screenshot for each of the page's */
  constructor(scale: number) {
    this.#scale = scale
  }

  get durationMs(): number {
    return this.#frames.reduce((sum, { durationMs }) => sum + durationMs, 0)
  }

  async add(screenshot: Buffer, pointer: Pointer, durationMs: number): Promise<void> {
    const scale = this.#scale
    const edge = (at: number) => Math.round((at - arrowSize / 2) * scale)
    const png = await sharp(screenshot)
      .removeAlpha()
      .composite([{ input: arrow(pointer, scale), left: edge(pointer.x), top: edge(pointer.y) }])
      .png({ compressionLevel: 1 })
      .toBuffer()
    this.#frames.push({ png, durationMs })
  }

  /** Plays again and again. Nothing is lost, and what stays as it was takes no space. */
  async toWebp(): Promise<Buffer> {
    return sharp(
      this.#frames.map(({ png }) => png),
      { join: { animated: true } },
    )
      .webp({ lossless: true, effort: 6, loop: 0, delay: this.#frames.map(({ durationMs }) => durationMs) })
      .toBuffer()
  }
}
