/**
 * Does the work for each, several at a time, in order. What one of them throws ends it: nothing more begins.
 * @returns what each came to, in their order
 */
export async function several<T, R>(
  items: readonly T[],
  atATime: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  let next = 0
  let isFailed = false
  const worker = async () => {
    for (let at = next++; at < items.length && !isFailed; at = next++) {
      const item = items[at]
      if (item !== undefined) results[at] = await work(item)
    }
  }
  const workers = Array.from({ length: Math.min(atATime, items.length) }, () =>
    worker().catch((error: unknown) => {
      isFailed = true
      throw error
    }),
  )
  await Promise.all(workers)
  return results
}
