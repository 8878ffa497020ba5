import { Ajv2020 } from 'ajv/dist/2020.js'
import { z } from 'zod'

const openApi = z.looseObject({
  servers: z.tuple([z.looseObject({ url: z.url() })]),
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ responses: z.looseObject({}) }))),
})

const ID = 'openapi.json'
const FAILURE = '#/components/schemas/Failure'

/** An OpenAPI 3.1 document as a judge of what the service that it describes answers. */
export class DocumentedAnswers {
  readonly #document: z.infer<typeof openApi>
  readonly #basePath: string
  readonly #ajv = new Ajv2020({ allErrors: true })

  constructor(document: unknown) {
    this.#document = openApi.parse(document)
    this.#basePath = new URL(this.#document.servers[0].url).pathname
    // The document is no schema itself and only holds some, in OpenAPI's dialect: of that they have one keyword.
    this.#ajv.addVocabulary([...Object.keys(this.#document), 'example'])
    this.#ajv.addSchema(this.#document, ID)
  }

  /** @throws where the answer isn't as documented. Paths that aren't below the server's are nobody's business here. */
  async check({ method, url }: { method: string; url: string }, response: Response): Promise<void> {
    const { pathname } = new URL(url)
    if (!`${pathname}/`.startsWith(`${this.#basePath}/`)) return
    const path = pathname.slice(this.#basePath.length)
    const { status, headers } = response
    const problems = this.#problemsOf(path, method, status, headers)
    // Hono answers HEAD as it answers GET, without the body.
    if (method !== 'HEAD') {
      const text = await response.clone().text()
      problems.push(...this.#problemsIn(text, status, this.#schemaOf(path, method.toLowerCase(), status)))
    }
    if (problems.length === 0) return
    throw new Error(`${method} ${path} isn't answered as documented (${status}): ${problems.join('; ')}`)
  }

  #problemsOf(path: string, method: string, status: number, headers: Headers): string[] {
    const problems: string[] = []
    const type = headers.get('content-type')
    if (type !== 'application/json') problems.push(`content-type is ${type}`)
    const operations = this.#document.paths[path]
    if (operations?.[method === 'HEAD' ? 'get' : method.toLowerCase()]) return problems
    const expected = operations ? 405 : 404
    if (status !== expected) problems.push(`${expected} is the answer where there is no such operation`)
    const allow = operations && Object.keys(operations).join(', ').toUpperCase()
    if (headers.get('allow') !== (allow ?? null)) problems.push(`allow isn't ${allow}`)
    return problems
  }

  #schemaOf(path: string, method: string, status: number): string {
    const responses = this.#document.paths[path]?.[method]?.responses
    if (!responses) return FAILURE
    const pointer = ['paths', path, method, 'responses', status in responses ? String(status) : 'default']
    const parts = [...pointer, 'content', 'application/json', 'schema']
    return `#/${parts.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`
  }

  #problemsIn(text: string, status: number, schema: string): string[] {
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      return ['the body is not JSON']
    }
    const problems: string[] = []
    const isValid = this.#ajv.getSchema(`${ID}${schema}`)
    if (!isValid) return [`${schema} is not in the document`]
    if (!isValid(body)) problems.push(this.#ajv.errorsText(isValid.errors, { dataVar: 'body' }))
    const inside = z.looseObject({ status: z.string() }).safeParse(body).data?.status
    if (inside !== String(status)) problems.push(`the status inside is ${inside}`)
    return problems
  }
}
