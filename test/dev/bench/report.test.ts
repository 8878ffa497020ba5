import { expect, it } from 'vitest'
import { compare, type Figures, report } from '../../../dev/bench/figures.ts'

const round = (app: Figures, against: Figures | undefined, again = app) => ({ app, against, again })

it('shows figures, the median of the ratios with its quartiles, and whether the aim is met', () => {
  const rounds = [
    round({ speed: 200, own: 1 }, { speed: 100 }, { speed: 180, own: 1 }),
    round({ speed: 150, own: 2 }, { speed: 100 }, { speed: 150, own: 4 }),
    round({ speed: 300, own: 2 }, { speed: 100 }, { speed: 300, own: 2 }),
  ]
  const lines = [
    { what: 'throughput', unit: '1/s', of: 'speed', aim: { is: '>=', ratio: 1.8 } as const },
    { what: 'against its own', unit: 'ms', of: 'own', against: 'speed' },
  ].map((row) => compare(rounds, row))
  expect(
    report({ title: 'Equal work', columns: ['app', 'bare Bolt'], lines }).replaceAll(/ {2,}/g, '  '),
  ).toBe(
    [
      'Equal work  unit  app  bare Bolt  ratio  quarters  noise  aim',
      'throughput  1/s  200  100  2.00  1.50–3.00  0.11  >= 1.8 met',
      'against its own  ms  2.00  200  0.01  0.01–0.01  0.50',
    ].join('\n'),
  )
})

it.each([
  ['<=', 0.5, 'met'],
  ['<=', 0.45, 'within noise'],
  ['<=', 0.4, 'MISSED'],
  ['>=', 0.5, 'met'],
  ['>=', 0.55, 'within noise'],
  ['>=', 0.6, 'MISSED'],
] as const)('judges a ratio of 0.5 with a noise of 0.12 against the aim %s %f: %s', (is, ratio, verdict) => {
  const found = [
    round({ ms: 50 }, { ms: 100 }, { ms: 50 / 1.12 }),
    round({ ms: 50 }, { ms: 100 }),
    round({ ms: 50 }, { ms: 100 }),
  ]
  const line = compare(found, { what: 'CPU', unit: 'ms', of: 'ms', aim: { is, ratio } })
  expect(line.noise).toBeCloseTo(0.12)
  expect(line.verdict).toBe(verdict)
})

it('judges a difference against an aim in its unit', () => {
  const found = [round({ ms: 1.1 }, { ms: 1 }, { ms: 1.16 })]
  const row = { what: 'CPU', unit: 'ms', of: 'ms', isDifference: true } as const
  const judge = (ratio: number) => compare(found, { ...row, aim: { is: '<=', ratio } }).verdict
  expect([0.2, 0.12, 0.09].map(judge)).toEqual(['met', 'within noise', 'MISSED'])
})
