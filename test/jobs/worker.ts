import { openEngine } from './engines.ts'

// Takes a job, reports it, and never finishes it.
const [url = ''] = process.argv.slice(2)
const { jobs } = await openEngine(url)
jobs.work('killed', async ({ id }) => {
  process.send?.(id)
  await new Promise(() => {})
})
await jobs.enqueue('killed', 'one', { n: 1 }, new Date())
setInterval(() => {}, 60_000)
