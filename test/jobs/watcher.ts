import { openEngine } from './engines.ts'

// A process whose jobs run again and again.
const [url = ''] = process.argv.slice(2)
const { jobs } = openEngine(url)
jobs.work(
  'watched',
  async ({ id }) => {
    process.send?.(id)
    await new Promise((resolve) => setTimeout(resolve, 30))
    return { again: new Date(Date.now() + 200) }
  },
  { concurrency: 30 },
)
setInterval(() => {}, 60_000)
