import { expect, it } from 'vitest'
import { compareFigures, report } from '../../../dev/bench/figures.ts'

it('tells figures, the median of the ratios with its quarters, and whether the aim is met', () => {
  const rounds = [
    [200, 100],
    [150, 100],
    [330, 110],
    [180, 90],
  ] as const
  const throughput = compareFigures(rounds, {
    what: 'throughput',
    unit: '1/s',
    aim: { is: '>=', ratio: 1.8 },
  })
  const cpu = compareFigures([[0.4, 0.5]], { what: 'CPU', unit: 'ms', aim: { is: '<=', ratio: 0.55 } })
  const core = compareFigures([[1, 1]], { what: 'share of a core', unit: '' })
  const sections = [
    { title: 'Equal work', columns: ['app', 'bare Bolt'], lines: [...throughput, ...cpu] },
    { title: 'Noise', columns: ['app', 'app'], lines: core },
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
