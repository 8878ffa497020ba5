import { openEngine } from './engines.ts'

// A process that takes a job, says so, and never finishes it.
const [url = ''] = process.argv.slice(2)
const { jobs } = openEngine(url)
jobs.work('killed', async ({ id }) => {
  process.send?.(id)
  await new Promise(() => {})
})
setInterval(() => {}, 60_000)
