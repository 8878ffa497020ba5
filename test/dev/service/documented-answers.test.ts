import { beforeAll, describe, expect, it } from 'vitest'
import { serveSandbox } from '../../../dev/service/serve.ts'
import { DocumentedAnswers } from './documented-answers.ts'
import { ask, pathOf, sandboxAt } from './support.ts'

const sandbox = sandboxAt()
const { lively } = sandbox.accounts
const origin = 'http://127.0.0.1:4010'
let answers: DocumentedAnswers

beforeAll(async () => {
  const document = await sandbox.app.request(`${origin}/openapi.json`)
  answers = new DocumentedAnswers(await document.json())
})

function check(method: string, path: string, body: unknown, init: ResponseInit) {
  return answers.check({ method, url: `${origin}${path}` }, Response.json(body, init))
}

const invoice = {
  invoice_id: '1',
  date: '2026-11-01',
  amount: '$1.00',
  status: 'Proccessed',
  invoice_url: 'https://billing.example',
}
const INVOICE = '/api/v1/billing/invoice?key=a-key&secret=a-secret'

describe('an answer as documented', () => {
  it.each([
    ['a success', 'POST', INVOICE, { status: '200', message: 'Success', result: [invoice] }, { status: 200 }],
    ['a refusal', 'POST', INVOICE, { status: '400', message: 'No' }, { status: 400 }],
    ['any other status', 'POST', INVOICE, { status: '503', message: 'No' }, { status: 503 }],
    ['an unknown path', 'GET', '/api/v1/calls', { status: '404', message: 'No' }, { status: 404 }],
    [
      'another method',
      'GET',
      INVOICE,
      { status: '405', message: 'No' },
      { status: 405, headers: { allow: 'POST' } },
    ],
    ['a path of nobody', 'GET', '/api/v10', {}, { status: 200 }],
  ])('passes: %s', async (_, method, path, body, init) => {
    await expect(check(method, path, body, init)).resolves.toBeUndefined()
  })
})

describe('an answer that is not as documented', () => {
  const success = { status: '200', message: 'Success', result: [invoice] }
  it.each([
    ['a number', { ...success, result: [{ ...invoice, amount: 1 }] }, 'body/result/0/amount must be string'],
    ['a field missing', { ...success, result: [{}] }, "must have required property 'invoice_id'"],
    ['a field too many', { ...success, total_record: '1' }, 'must NOT have additional properties'],
    ['another envelope', { ok: true }, "must have required property 'result'"],
    ['another status inside', { ...success, status: '401' }, 'the status inside is 401'],
  ])('fails: a success with %s', async (_, body, problem) => {
    await expect(check('POST', INVOICE, body, { status: 200 })).rejects.toThrow(problem)
  })

  it.each([
    ['of another shape', INVOICE, { error: 'No' }, 400, "must have required property 'message'"],
    [
      'with another status inside',
      INVOICE,
      { status: '400', message: 'No' },
      401,
      'the status inside is 400',
    ],
    ['that is none of the documented', INVOICE, { status: '503' }, 503, "required property 'message'"],
    ['where there is an operation', INVOICE, { status: '404' }, 404, "required property 'message'"],
    ['where there is no path', '/api/v1/calls', { status: '405', message: 'No' }, 405, '404 is the answer'],
  ])('fails: an error %s', async (_, path, body, status, problem) => {
    await expect(check('POST', path, body, { status })).rejects.toThrow(problem)
  })

  it('fails: another method that is served, or refused without saying which are', async () => {
    await expect(check('PUT', INVOICE, success, { status: 200 })).rejects.toThrow('405 is the answer')
    const refusal = check('PUT', INVOICE, { status: '405', message: 'No' }, { status: 405 })
    await expect(refusal).rejects.toThrow("allow isn't POST")
  })

  it('fails: no JSON, or not called so', async () => {
    const request = { method: 'POST', url: `${origin}${INVOICE}` }
    const text = (body: string, type: string) => new Response(body, { headers: { 'content-type': type } })
    const called = answers.check(request, text(JSON.stringify(success), 'text/plain'))
    await expect(called).rejects.toThrow(/: content-type is text\/plain$/)
    await expect(answers.check(request, text('{"sta', 'application/json'))).rejects.toThrow('not JSON')
  })

  it('is told of without the credentials', async () => {
    const failed = check('POST', INVOICE, {}, { status: 200 })
    await expect(failed).rejects.toThrow(/^POST \/billing\/invoice isn't answered as documented \(200\): /)
    await expect(failed).rejects.not.toThrow(/a-key|a-secret/)
  })
})

describe('a sandbox of these tests', () => {
  const wrong = sandboxAt()
  beforeAll(() => {
    wrong.accounts.lively.page = () => ({ calls: [], total: 1.5 })
  })

  it('does not give out an answer that is not as documented', async () => {
    await expect(ask(wrong, 'incoming')).rejects.toThrow('body/total_record must match pattern')
    expect((await ask(wrong, 'incoming', { page: '0' })).status).toBe(400)
  })

  it('does not send one over HTTP either', async () => {
    const served = await serveSandbox(wrong)
    const { status } = await fetch(new URL(pathOf('incoming', lively), served.baseUrl))
    await served.close()
    expect(status).toBe(500)
  })

  it('gives out one that a fault broke, and only that one', async () => {
    sandbox.faults.next({ kind: 'set', envelope: { total_record: 'many' } })
    expect((await ask(sandbox, 'incoming')).body.total_record).toBe('many')
    wrong.faults.next({ kind: 'set', envelope: { message: 'Odd' } })
    expect((await ask(wrong, 'incoming')).status).toBe(200)
    await expect(ask(wrong, 'incoming')).rejects.toThrow('total_record')
  })
})
