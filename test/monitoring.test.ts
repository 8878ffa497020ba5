import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { useApp } from './support/app.ts'

const app = useApp({ config: { metricsToken: 'a token for tests' } })

interface Shown {
  readonly expr: string
  readonly legendFormat?: string
}

interface Rule extends Shown {
  readonly alert: string
}

interface Panel {
  readonly targets: readonly Shown[]
}

const rules: readonly Rule[] = parse(readFileSync('docs/monitoring/alerts.yml', 'utf8')).groups[0].rules
const { panels }: { panels: readonly Panel[] } = JSON.parse(
  readFileSync('docs/monitoring/dashboard.json', 'utf8'),
)
const targets = panels.flatMap(({ targets }) => targets)

/** Metrics of Callboard and of its process, with the names of their labels. */
async function readMetrics(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const text = await app.readMetrics()
  const metrics = new Map<string, Set<string>>()
  for (const [, name = ''] of text.matchAll(/^# TYPE (\w+) /gm)) metrics.set(name, new Set())
  for (const [, series = '', labels = ''] of text.matchAll(/^(\w+)(?:{(.*)})? /gm)) {
    const name = metrics.has(series) ? series : series.replace(/_(bucket|count|sum)$/, '')
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) metrics.get(name)?.add(label)
  }
  return metrics
}

const expressions = [...rules, ...targets].map(({ expr }) => expr)
const listMetrics = (text: string) => [...text.matchAll(/\b(?:callboard|process)_\w+/g)].map(([name]) => name)

/** Series of histograms have a suffix. */
const toSeries = (metrics: ReadonlyMap<string, unknown>, name: string) =>
  metrics.has(name) ? name : name.replace(/_(bucket|count|sum)$/, '')

it('alerts and dashboard name only metrics that exist', async () => {
  const metrics = await readMetrics()
  expect(metrics.size).toBeGreaterThan(30)
  expect(expressions.length).toBeGreaterThan(20)
  for (const expr of expressions)
    for (const name of listMetrics(expr)) expect([...metrics.keys()], expr).toContain(toSeries(metrics, name))
})

it('selects, groups and shows by labels and values that exist', async () => {
  await app.member.command('/calls help')
  const metrics = await readMetrics()
  for (const { expr, legendFormat = '' } of [...rules, ...targets]) {
    // Prometheus adds three; the others have values only after requests, and with unreadable records.
    const known = ['le', 'instance', 'job', 'operation', 'key']
    for (const name of listMetrics(expr)) {
      known.push(...(metrics.get(toSeries(metrics, name)) ?? []))
      if (name.includes('service_requests')) known.push('outcome')
    }
    const used = [
      ...[...expr.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label),
      ...[...expr.matchAll(/by \(([\w, ]+)\)/g)].flatMap(([, list = '']) => list.split(', ')),
      ...[...legendFormat.matchAll(/{{(\w+)}}/g)].map(([, label = '']) => label),
    ]
    for (const label of used) expect(known, expr).toContain(label)
  }
})

it('docs/operate.md names only metrics and alerts that exist', async () => {
  const text = readFileSync('docs/operate.md', 'utf8')
  const metrics = await readMetrics()
  const named = listMetrics(text).filter(
    (name) => name.startsWith('callboard_') && !/_(store|jobs)$/.test(name),
  )
  expect(named.length).toBeGreaterThan(3)
  for (const name of named) expect([...metrics.keys()]).toContain(name)
  const alerts = [...text.matchAll(/`((?:Callboard|PhoneService|MissedCalls)[A-Z]\w+)`/g)].map(
    ([, name]) => name,
  )
  expect(alerts.length).toBeGreaterThan(3)
  for (const name of alerts) expect(rules.map(({ alert }) => alert)).toContain(name)
})
