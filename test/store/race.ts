import { type ChildProcess, fork } from 'node:child_process'

function once(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (code) => reject(new Error(`a process ended with ${code}`)))
  })
}

/**
 * Eight processes open the same store at once; then four of them claim the same 300 keys.
 * @returns the number of successful claims of each
 */
export async function raceOfProcesses(url: string): Promise<number[]> {
  const children = Array.from({ length: 8 }, () => fork(new URL('racer.ts', import.meta.url), [url]))
  try {
    await Promise.all(children.map(once))
    const together = async (word: string, who: ChildProcess[]) => {
      const answers = who.map(once)
      for (const child of who) child.send(word)
      return Promise.all(answers)
    }
    await together('open', children)
    return (await together('claim', children.slice(0, 4))).map(Number)
  } finally {
    for (const child of children) child.kill()
  }
}
