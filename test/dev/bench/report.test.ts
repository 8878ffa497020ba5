import { expect, it } from 'vitest'
import { Pairs } from '../../../dev/bench/figures.ts'
import { report } from '../../../dev/bench/report.ts'

const pairsOf = (
  values: readonly (readonly [number, number])[],
  ...about: ConstructorParameters<typeof Pairs>
) => {
  const pairs = new Pairs(...about)
  for (const [measured, against] of values) pairs.add(measured, against)
  return pairs.comparison
}

it('tells figures, the median of the ratios with its quarters, and whether the aim is met', () => {
  const rounds = [
    [200, 100],
    [150, 100],
    [330, 110],
    [180, 90],
  ] as const
  const throughput = pairsOf(rounds, 'throughput', '1/s', { is: '>=', ratio: 1.8 })
  const cpu = pairsOf([[0.4, 0.5]], 'CPU', 'ms', { is: '<=', ratio: 0.55 })
  const core = pairsOf([[1, 1]], 'share of a core', '')
  const sections = [
    { title: 'Equal work', columns: ['app', 'bare Bolt'], lines: [throughput, cpu] },
    { title: 'Noise', columns: ['app', 'app'], lines: [core] },
  ] as const
  expect(report(sections)).toBe(
    [
      'Equal work       unit    app  bare Bolt  ratio   quarters  aim',
      'throughput       1/s     200        100   2.00  2.00–3.00  >= 1.8 met',
      'CPU              ms    0.400      0.500   0.80       once  <= 0.55 MISSED',
      '',
      'Noise            unit    app        app  ratio   quarters  aim',
      'share of a core         1.00       1.00   1.00       once',
    ].join('\n'),
  )
})
