import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import sharp from 'sharp'
import { expect, it } from 'vitest'

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

it.each(['report', 'alert', 'digest', 'slackbot'])(
  "the guide's pictures of a %s take little space, and are the same in light and in dark",
  async (name) => {
    const guide = readFileSync('docs/use.md', 'utf8')
    const pictures = [`docs/${name}-light.png`, `docs/${name}-dark.png`]
    for (const picture of pictures) {
      expect(guide).toContain(basename(picture))
      expect(statSync(picture).size).toBeLessThan(200_000)
    }
    const [light, dark] = await Promise.all(pictures.map((picture) => sharp(picture).metadata()))
    expect([light!.width, light!.height]).toEqual([dark!.width, dark!.height])
  },
)

it.each(['light', 'dark'])(
  "the README's picture in %s takes 17 s and little space, and has a still",
  async (scheme) => {
    const readme = readFileSync('README.md', 'utf8')
    const [moving, still] = [`docs/callboard-${scheme}.webp`, `docs/callboard-${scheme}.png`]
    expect(readme).toContain(moving)
    expect(readme).toContain(still)
    const { delay = [], pageHeight } = await sharp(moving, { animated: true }).metadata()
    expect(sum(delay)).toBeGreaterThan(16_000)
    expect(sum(delay)).toBeLessThan(18_000)
    expect(statSync(moving).size).toBeLessThan(3_000_000)
    expect(pageHeight).toBe((await sharp(still).metadata()).height)
  },
)
