// sandglass-ignore default-bound
export const stock = (id) => fetch(`http://inventory/${id}`)
