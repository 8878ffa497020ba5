import { expect, it, onTestFinished, vi } from 'vitest'
import { NumberWriter } from '../../src/telephony/number-writer.ts'

it('what could not be loaded is loaded again', async () => {
  const writer = new NumberWriter()
  vi.doMock('libphonenumber-js/max', () => {
    throw new Error('too many open files')
  })
  onTestFinished(() => void vi.doUnmock('libphonenumber-js/max'))
  await expect(writer.load()).rejects.toThrow()
  vi.doUnmock('libphonenumber-js/max')
  const write = await writer.load()
  expect(write('+442079460042')).toBe('+44 20 7946 0042')
})
