// orval writes the address of the server into what it generates.
export default {
  blog: {
    input: './generated/blog.json',
    output: { target: './generated/orval/blog.ts', client: 'fetch', baseUrl: process.env.BASE_URL ?? '' },
  },
}
