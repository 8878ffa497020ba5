import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { useApp } from './support/app.ts'

const app = useApp({ config: { metricsToken: 'a token for tests' } })

const rulesSchema = z.object({
  groups: z.tuple([
    z.object({
      name: z.literal('callboard'),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^[A-Z]\w+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+m$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({ summary: z.string().min(10) }),
        }),
      ),
    }),
  ]),
})
const [{ rules }] = rulesSchema.parse(parse(readFileSync('docs/monitoring/alerts.yml', 'utf8'))).groups

const dashboardSchema = z.object({
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })),
    }),
  ),
})
const { panels } = dashboardSchema.parse(JSON.parse(readFileSync('docs/monitoring/dashboard.json', 'utf8')))
const targets = panels.flatMap(({ targets }) => targets)

/** Metrics of Callboard and of its process, with the names of their labels. */
async function readMetrics(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const headers = { authorization: 'Bearer a token for tests' }
  const text = await (await fetch(`${app.url}/metrics`, { headers })).text()
  const metrics = new Map<string, Set<string>>()
  for (const [, name = ''] of text.matchAll(/^# TYPE (\w+) /gm)) metrics.set(name, new Set())
  for (const [, series = '', labels = ''] of text.matchAll(/^(\w+)(?:{(.*)})? /gm)) {
    const name = metrics.has(series) ? series : series.replace(/_(bucket|count|sum)$/, '')
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) metrics.get(name)?.add(label)
  }
  return metrics
}

const expressions = [...rules, ...targets].map(({ expr }) => expr)

it('alerts and dashboard name only metrics that exist', async () => {
  const metrics = await readMetrics()
  expect(metrics.size).toBeGreaterThan(30)
  for (const expr of expressions)
    for (const [name] of expr.matchAll(/\b(?:callboard|process)_\w+/g))
      expect([...metrics.keys()], expr).toContain(
        metrics.has(name) ? name : name.replace(/_(bucket|count|sum)$/, ''),
      )
})

it('every metric is on the dashboard, except cache lookups and sizes', async () => {
  const shown = targets.map(({ expr }) => expr).join(' ')
  const metrics = [...(await readMetrics()).keys()].filter((name) => name.startsWith('callboard_'))
  expect(metrics.filter((name) => !shown.includes(name))).toEqual([
    'callboard_reading_records_total',
    'callboard_cache_lookups_total',
    'callboard_export_records_total',
    'callboard_alert_calls_total',
    'callboard_reading_seconds',
  ])
})

it('selects, groups and shows by labels and values that exist', async () => {
  await app.member.command('/calls help')
  const metrics = await readMetrics()
  const added = new Set(['le', 'instance', 'job'])
  for (const { expr, legendFormat = '' } of [...rules, ...targets].map((one) => ({
    legendFormat: '',
    ...one,
  }))) {
    const names = [...expr.matchAll(/\b(?:callboard|process)_\w+/g)].map(([name]) => name)
    const labels = names.flatMap((name) => [
      ...(metrics.get(name) ?? metrics.get(name.replace(/_(bucket|count|sum)$/, '')) ?? []),
    ])
    const used = [
      ...[...expr.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label),
      ...[...expr.matchAll(/by \(([\w, ]+)\)/g)].flatMap(([, list = '']) => list.split(', ')),
      ...[...legendFormat.matchAll(/{{(\w+)}}/g)].map(([, label = '']) => label),
    ]
    // These have values only after requests, and with unreadable records.
    const known = new Set([
      ...labels,
      ...added,
      'operation',
      'key',
      ...(names.some((name) => name.includes('service_requests')) ? ['outcome'] : []),
    ])
    for (const label of used) expect([...known], expr).toContain(label)
  }
})

it.each(expressions)('has balanced brackets: %s', (expr) => {
  let rest = expr.replaceAll(/"[^"]*"/g, '').replaceAll(/[^()[\]{}]/g, '')
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replaceAll(/\(\)|\[\]|{}/g, '')
  }
  expect(rest).toBe('')
})

it('names each alert once, and lays panels out without overlaps', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  const places = panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)
  expect(new Set(places).size).toBe(panels.length)
  for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
})

it('docs/operate.md names only metrics and alerts that exist', async () => {
  const text = readFileSync('docs/operate.md', 'utf8')
  const metrics = await readMetrics()
  const named = [...text.matchAll(/\bcallboard_\w+_(?:total|seconds|records|resting|length|way)\b/g)].map(
    ([name]) => name,
  )
  expect(named.length).toBeGreaterThan(3)
  for (const name of named) expect([...metrics.keys()]).toContain(name)
  const alerts = [...text.matchAll(/`((?:Callboard|PhoneService|MissedCalls)[A-Z]\w+)`/g)].map(
    ([, name]) => name,
  )
  expect(alerts.length).toBeGreaterThan(3)
  for (const name of alerts) expect(rules.map(({ alert }) => alert)).toContain(name)
})
